// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.
import type { CallOptions, FileContent, OperationRow, SendOptions } from '../settings.ts'
import type * as types from './types.ts'

export interface Operations {
  /** Send a text */
  sendText(input: types.SendText, options?: SendOptions): Promise<types.SendAnswer>
  /** Send an image, video, document or audio file */
  sendMedia(input: types.SendMedia, options?: SendOptions): Promise<types.SendAnswer>
  /** Send reply buttons */
  sendButton(input: types.SendButton, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a list menu */
  sendList(input: types.SendList, options?: SendOptions): Promise<types.SendAnswer>
  /** Send buttons that open, call, copy or reply, also mixed */
  sendCta(input: types.SendCta, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a carousel of cards */
  sendCarousel(input: types.SendCarousel, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a PIX key, for payments in Brazil */
  sendPix(input: types.SendPix, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a location */
  sendLocation(input: types.SendLocation, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a poll */
  sendPoll(input: types.SendPoll, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a sticker: a WebP as it is, or any other image, which becomes one of 512 × 512 pixels */
  sendSticker(input: types.SendSticker, options?: SendOptions): Promise<types.SendAnswer>
  /** Send contact cards */
  sendContact(input: types.SendContact, options?: SendOptions): Promise<types.SendAnswer>
  /** Send an event: a title, a time and a place */
  sendEvent(input: types.SendEvent, options?: SendOptions): Promise<types.SendAnswer>
  /** Send several images and videos as one album */
  sendAlbum(input: types.SendAlbum, options?: SendOptions): Promise<types.AlbumAnswer>
  /** Post a status to all saved contacts or to listed numbers */
  sendStatus(input: types.SendStatus, options?: SendOptions): Promise<types.SendAnswer>
  /** Send a text to a group */
  sendGroup(input: types.SendGroup, options?: SendOptions): Promise<types.SendAnswer>
  /** Upload a file to send */
  uploadMedia(input: types.UploadMediaInput, options?: CallOptions): Promise<types.UploadedMedia>
  /** List messages, newest first */
  listMessages(input?: types.ListMessagesInput, options?: CallOptions): Promise<types.ListMessagesAnswer>
  /** Get a message and its status */
  getMessage(input: types.GetMessageInput, options?: CallOptions): Promise<types.GetMessageAnswer>
  /** Delete a message for everyone */
  deleteMessage(input: types.DeleteMessageInput, options?: SendOptions): Promise<types.SendAnswer>
  /** Cancel a message that waits to be sent */
  cancelMessage(input: types.CancelMessageInput, options?: CallOptions): Promise<types.CancelMessageAnswer>
  /** Cancel all messages with a reference that wait to be sent */
  cancelMessages(input: types.CancelMessages, options?: CallOptions): Promise<types.CanceledMessages>
  /** Get a send that waits for approval, with everything that the decision needs */
  getApproval(input: types.GetApprovalInput, options?: CallOptions): Promise<types.GetApprovalAnswer>
  /** Download a file of a send that waits for approval */
  getApprovalFile(input: types.GetApprovalFileInput, options?: CallOptions): Promise<FileContent>
  /** Approve a send that waits for approval */
  approveMessage(input: types.ApproveMessageInput, options?: CallOptions): Promise<types.ApproveMessageAnswer>
  /** Reject a send that waits for approval */
  rejectMessage(input: types.RejectMessageInput, options?: CallOptions): Promise<types.RejectMessageAnswer>
  /** Count the votes in a poll */
  getPollVotes(input: types.GetPollVotesInput, options?: CallOptions): Promise<types.GetPollVotesAnswer>
  /** Download the file of a message */
  getMessageMedia(input: types.GetMessageMediaInput, options?: CallOptions): Promise<FileContent>
  /** React to a message, or withdraw the reaction */
  reactToMessage(input: types.ReactToMessageInput, options?: SendOptions): Promise<types.SendAnswer>
  /** Edit the text or caption of a sent message */
  editMessage(input: types.EditMessageInput, options?: SendOptions): Promise<types.SendAnswer>
  /** Forward a message to another chat of the instance */
  forwardMessage(input: types.ForwardMessageInput, options?: SendOptions): Promise<types.SendAnswer>
  /** Pin a message in its chat for everyone, or remove the pin */
  pinMessage(input: types.PinMessageInput, options?: SendOptions): Promise<types.SendAnswer>
  /** Star a message on the devices of the owner, or remove the star */
  starMessage(input: types.StarMessageInput, options?: CallOptions): Promise<types.StarMessageAnswer>
  /** Mark a received voice message as played */
  markPlayed(input: types.MarkPlayedInput, options?: CallOptions): Promise<types.MarkPlayedAnswer>
  /** Get the connection state of an instance */
  instanceState(input: types.InstanceStateInput, options?: CallOptions): Promise<types.InstanceStateAnswer>
  /** Get the activity of an instance: queued messages, last failure, messages per hour of the last 24 hours */
  instanceActivity(input: types.InstanceActivityInput, options?: CallOptions): Promise<types.InstanceActivityAnswer>
  /** List all instances of the account */
  listInstances(input?: Record<string, never>, options?: CallOptions): Promise<types.ListInstancesAnswer>
  /** Create an instance and start pairing */
  createInstance(input: types.CreateInstance, options?: CallOptions): Promise<types.CreateInstanceAnswer>
  /** Start or restart pairing, by QR code or pairing code */
  connectInstance(input: types.ConnectInstanceInput, options?: CallOptions): Promise<types.ConnectInstanceAnswer>
  /** Reconnect without logging out */
  restartInstance(input: types.RestartInstanceInput, options?: CallOptions): Promise<types.RestartInstanceAnswer>
  /** Log out and delete the session data */
  logoutInstance(input: types.LogoutInstanceInput, options?: CallOptions): Promise<types.LogoutInstanceAnswer>
  /** Delete an instance that is logged out */
  deleteInstance(input: types.DeleteInstanceInput, options?: CallOptions): Promise<types.DeleteInstanceAnswer>
  /** Get the login QR code as an image */
  qrImage(input: types.QrImageInput, options?: CallOptions): Promise<FileContent>
  /** Get the profile picture of the connected account */
  profilePicture(input: types.ProfilePictureInput, options?: CallOptions): Promise<FileContent>
  /** Get the passkey step of an instance, with the challenge of the network */
  getPasskey(input: types.GetPasskeyInput, options?: CallOptions): Promise<types.GetPasskeyAnswer>
  /** Hand in the assertion of the passkey */
  answerPasskey(input: types.AnswerPasskeyInput, options?: CallOptions): Promise<types.AnswerPasskeyAnswer>
  /** Confirm that the phone shows the same code */
  confirmPasskey(input: types.ConfirmPasskeyInput, options?: CallOptions): Promise<types.ConfirmPasskeyAnswer>
  /** End the passkey step without a linked device, as when the codes differ */
  cancelPasskey(input: types.CancelPasskeyInput, options?: CallOptions): Promise<types.CancelPasskeyAnswer>
  /** Create a one-time link to a page that leads through the passkey step without a key */
  createPasskeyLink(input: types.CreatePasskeyLinkInput, options?: CallOptions): Promise<types.CreatePasskeyLinkAnswer>
  /** Get the settings of an instance */
  getSettings(input: types.GetSettingsInput, options?: CallOptions): Promise<types.GetSettingsAnswer>
  /** Change the settings of an instance; omitted fields stay unchanged */
  updateSettings(input: types.UpdateSettingsInput, options?: CallOptions): Promise<types.UpdateSettingsAnswer>
  /** Read your profile and its privacy settings from the network */
  getProfile(input: types.GetProfileInput, options?: CallOptions): Promise<types.GetProfileAnswer>
  /** Change your profile and its privacy settings; omitted fields stay unchanged */
  updateProfile(input: types.UpdateProfileInput, options?: CallOptions): Promise<types.UpdateProfileAnswer>
  /** List the saved contacts of an instance, sorted by name */
  listContacts(input: types.ListContactsInput, options?: CallOptions): Promise<types.ListContactsAnswer>
  /** Save a chat as a contact */
  saveContact(input: types.SaveContact, options?: CallOptions): Promise<types.SaveContactAnswer>
  /** Get a contact */
  getContact(input: types.GetContactInput, options?: CallOptions): Promise<types.GetContactAnswer>
  /** Update a contact; omitted fields stay unchanged */
  updateContact(input: types.UpdateContactInput, options?: CallOptions): Promise<types.UpdateContactAnswer>
  /** Delete a contact; its chat is kept */
  deleteContact(input: types.DeleteContactInput, options?: CallOptions): Promise<types.DeleteContactAnswer>
  /** List all chats of an instance, latest first, including chats without a saved contact */
  listChats(input: types.ListChatsInput, options?: CallOptions): Promise<types.ListChatsAnswer>
  /** Change the settings of a chat; omitted fields stay unchanged */
  updateChat(input: types.UpdateChat, options?: CallOptions): Promise<types.UpdateChatAnswer>
  /** Delete the messages of a chat on the devices of the owner and in the gateway */
  clearChat(input: types.ClearChatInput, options?: CallOptions): Promise<types.ClearChatAnswer>
  /** Mark a chat as read */
  readChat(input: types.ReadChatInput, options?: CallOptions): Promise<types.ReadChatAnswer>
  /** Show that the instance is typing or recording in a chat */
  showPresence(input: types.ShowPresence, options?: CallOptions): Promise<types.ShowPresenceAnswer>
  /** List older messages of a chat, and request more from the phone */
  chatHistory(input: types.ChatHistoryInput, options?: CallOptions): Promise<types.ChatHistoryAnswer>
  /** List the labels of an instance, in the order of their creation */
  listLabels(input: types.ListLabelsInput, options?: CallOptions): Promise<types.ListLabelsAnswer>
  /** Create a label on all devices of the owner */
  createLabel(input: types.CreateLabel, options?: CallOptions): Promise<types.CreateLabelAnswer>
  /** Change the name or the colour of a label; omitted fields stay unchanged */
  updateLabel(input: types.UpdateLabelInput, options?: CallOptions): Promise<types.UpdateLabelAnswer>
  /** Delete a label on all devices of the owner; its chats are kept */
  deleteLabel(input: types.DeleteLabelInput, options?: CallOptions): Promise<types.DeleteLabelAnswer>
  /** Give a label to a chat */
  labelChat(input: types.LabelChatInput, options?: CallOptions): Promise<types.LabelChatAnswer>
  /** Take a label from a chat */
  unlabelChat(input: types.UnlabelChatInput, options?: CallOptions): Promise<types.UnlabelChatAnswer>
  /** Assign a chat to a user of the account */
  assignChat(input: types.AssignChat, options?: CallOptions): Promise<types.AssignChatAnswer>
  /** List the users of the account, to whom chats can be assigned */
  listUsers(input?: types.ListUsersInput, options?: CallOptions): Promise<types.ListUsersAnswer>
  /** List the quick replies of the account, sorted by shortcut */
  listQuickReplies(input?: Record<string, never>, options?: CallOptions): Promise<types.ListQuickRepliesAnswer>
  /** Create a quick reply */
  createQuickReply(input: types.CreateQuickReply, options?: CallOptions): Promise<types.CreateQuickReplyAnswer>
  /** Change a quick reply; omitted fields stay unchanged */
  updateQuickReply(input: types.UpdateQuickReplyInput, options?: CallOptions): Promise<types.UpdateQuickReplyAnswer>
  /** Delete a quick reply */
  deleteQuickReply(input: types.DeleteQuickReplyInput, options?: CallOptions): Promise<types.DeleteQuickReplyAnswer>
  /** Get the profile picture of a person or group */
  chatPicture(input: types.ChatPictureInput, options?: CallOptions): Promise<FileContent>
  /** List the groups of an instance */
  listGroups(input: types.ListGroupsInput, options?: CallOptions): Promise<types.ListGroupsAnswer>
  /** Create a group */
  createGroup(input: types.CreateGroup, options?: CallOptions): Promise<types.CreateGroupAnswer>
  /** Read a group and its participants from the network */
  getGroup(input: types.GetGroupInput, options?: CallOptions): Promise<types.GetGroupAnswer>
  /** Change the settings of a group; omitted fields stay unchanged */
  updateGroup(input: types.UpdateGroupInput, options?: CallOptions): Promise<types.UpdateGroupAnswer>
  /** Set the picture of a group */
  setGroupPicture(input: types.SetGroupPictureInput, options?: CallOptions): Promise<types.SetGroupPictureAnswer>
  /** Remove the picture of a group */
  deleteGroupPicture(input: types.DeleteGroupPictureInput, options?: CallOptions): Promise<types.DeleteGroupPictureAnswer>
  /** Add, remove, promote or demote members of a group */
  changeGroupMembers(input: types.ChangeGroupMembersInput, options?: CallOptions): Promise<types.ChangeGroupMembersAnswer>
  /** Get the invite link of a group */
  getGroupInvite(input: types.GetGroupInviteInput, options?: CallOptions): Promise<types.GetGroupInviteAnswer>
  /** Replace the invite link of a group; the old link no longer works */
  resetGroupInvite(input: types.ResetGroupInviteInput, options?: CallOptions): Promise<types.ResetGroupInviteAnswer>
  /** Show the group of an invite link without joining it */
  previewGroupInvite(input: types.PreviewGroupInviteInput, options?: CallOptions): Promise<types.PreviewGroupInviteAnswer>
  /** Join the group of an invite link */
  joinGroup(input: types.JoinGroup, options?: CallOptions): Promise<types.JoinGroupAnswer>
  /** Leave a group */
  leaveGroup(input: types.LeaveGroupInput, options?: CallOptions): Promise<types.LeaveGroupAnswer>
  /** List the people who ask to join a group */
  listJoinRequests(input: types.ListJoinRequestsInput, options?: CallOptions): Promise<types.ListJoinRequestsAnswer>
  /** Approve or reject requests to join a group */
  answerJoinRequests(input: types.AnswerJoinRequestsInput, options?: CallOptions): Promise<types.AnswerJoinRequestsAnswer>
  /** Reject an incoming call */
  rejectCall(input: types.RejectCallInput, options?: CallOptions): Promise<types.RejectCallAnswer>
  /** Read what a person shows: about text, picture, business profile, and whether they are blocked */
  getPerson(input: types.GetPersonInput, options?: CallOptions): Promise<types.GetPersonAnswer>
  /** Block a person */
  blockPerson(input: types.BlockPersonInput, options?: CallOptions): Promise<types.BlockPersonAnswer>
  /** Unblock a person */
  unblockPerson(input: types.UnblockPersonInput, options?: CallOptions): Promise<types.UnblockPersonAnswer>
  /** List the people that the account has blocked */
  getBlocklist(input: types.GetBlocklistInput, options?: CallOptions): Promise<types.GetBlocklistAnswer>
  /** List the people whose presence is followed, with the last reported presence */
  listPresence(input: types.ListPresenceInput, options?: CallOptions): Promise<types.ListPresenceAnswer>
  /** Follow the presence of people, or stop following it */
  subscribePresence(input: types.SubscribePresence, options?: CallOptions): Promise<types.SubscribePresenceAnswer>
  /** Ask the network whether a number is registered */
  checkNumber(input?: types.CheckNumberInput, options?: CallOptions): Promise<types.CheckNumberAnswer>
  /** Ask the network which of up to 200 numbers are registered */
  checkNumbers(input: types.CheckNumbersInput, options?: CallOptions): Promise<types.CheckNumbersAnswer>
  /** Get plan, subscription, usage and limits */
  accountLimits(input?: Record<string, never>, options?: CallOptions): Promise<types.AccountLimits>
  /** Get counts of messages, deliveries and sessions */
  getStatistics(input?: types.GetStatisticsInput, options?: CallOptions): Promise<types.Statistics>
  /** List the API keys of the account */
  listApiKeys(input?: Record<string, never>, options?: CallOptions): Promise<types.ListApiKeysAnswer>
  /** Create an API key */
  createApiKey(input: types.CreateApiKey, options?: CallOptions): Promise<types.CreateApiKeyAnswer>
  /** Get the API key of this request: its scopes, walls and instances */
  currentApiKey(input?: Record<string, never>, options?: CallOptions): Promise<types.CurrentApiKeyAnswer>
  /** Revoke an API key; takes effect within a second */
  revokeApiKey(input: types.RevokeApiKeyInput, options?: CallOptions): Promise<types.RevokeApiKeyAnswer>
  /** Replace an API key; the old one stays valid for `overlapHours` */
  rotateApiKey(input: types.RotateApiKeyInput, options?: CallOptions): Promise<types.RotateApiKeyAnswer>
  /** Check the sign-in that an agent requests, for the authorization page */
  reviewAgentSignIn(input: types.ReviewAgentSignIn, options?: CallOptions): Promise<types.ReviewAgentSignInAnswer>
  /** Allow the sign-in of an agent: returns where the browser goes with a code for a key with walls */
  grantAgentSignIn(input: types.GrantAgentSignIn, options?: CallOptions): Promise<types.GrantAgentSignInAnswer>
  /** List what keys did, newest first */
  listAudit(input?: types.ListAuditInput, options?: CallOptions): Promise<types.ListAuditAnswer>
  /** Create a webhook, or update one by its id */
  saveWebhook(input: types.SaveWebhook, options?: CallOptions): Promise<types.SaveWebhookAnswer>
  /** List webhooks with masked secrets */
  listWebhooks(input?: types.ListWebhooksInput, options?: CallOptions): Promise<types.ListWebhooksAnswer>
  /** Get a webhook with its secret masked */
  getWebhook(input: types.GetWebhookInput, options?: CallOptions): Promise<types.GetWebhookAnswer>
  /** Delete a webhook */
  deleteWebhook(input: types.DeleteWebhookInput, options?: CallOptions): Promise<types.DeleteWebhookAnswer>
  /** Replace the secret of a webhook and return the new one */
  rotateWebhookSecret(input: types.RotateWebhookSecretInput, options?: CallOptions): Promise<types.RotateWebhookSecretAnswer>
  /** Send a signed test event and return the response of the receiver */
  testWebhook(input: types.TestWebhookInput, options?: CallOptions): Promise<types.TestWebhookAnswer>
  /** List the deliveries of a webhook with all attempts, newest event first */
  listDeliveries(input: types.ListDeliveriesInput, options?: CallOptions): Promise<types.ListDeliveriesAnswer>
  /** Get a delivery with its requests and responses */
  getDelivery(input: types.GetDeliveryInput, options?: CallOptions): Promise<types.GetDeliveryAnswer>
  /** Send a delivery again */
  replayDelivery(input: types.ReplayDeliveryInput, options?: CallOptions): Promise<types.ReplayDeliveryAnswer>
  /** Send all events since a given time again, in order */
  replayWebhook(input: types.ReplayWebhookInput, options?: CallOptions): Promise<types.ReplayWebhookAnswer>
  /** Create a destination, or update one by its id */
  saveDestination(input: types.SaveDestination, options?: CallOptions): Promise<types.SaveDestinationAnswer>
  /** List destinations */
  listDestinations(input?: types.ListDestinationsInput, options?: CallOptions): Promise<types.ListDestinationsAnswer>
  /** Get a destination */
  getDestination(input: types.GetDestinationInput, options?: CallOptions): Promise<types.GetDestinationAnswer>
  /** Delete a destination */
  deleteDestination(input: types.DeleteDestinationInput, options?: CallOptions): Promise<types.DeleteDestinationAnswer>
  /** Send a test message and return what the broker confirmed */
  testDestination(input: types.TestDestinationInput, options?: CallOptions): Promise<types.TestDestinationAnswer>
  /** List the deliveries of a destination with all attempts, newest event first */
  listDestinationDeliveries(input: types.ListDestinationDeliveriesInput, options?: CallOptions): Promise<types.ListDestinationDeliveriesAnswer>
  /** Get a delivery with its messages and confirmations */
  getDestinationDelivery(input: types.GetDestinationDeliveryInput, options?: CallOptions): Promise<types.GetDestinationDeliveryAnswer>
  /** Send a delivery again */
  replayDestinationDelivery(input: types.ReplayDestinationDeliveryInput, options?: CallOptions): Promise<types.ReplayDestinationDeliveryAnswer>
  /** Send all events since a given time again, in order */
  replayDestination(input: types.ReplayDestinationInput, options?: CallOptions): Promise<types.ReplayDestinationAnswer>
  /** Connect an instance with an inbox of Chatwoot, or change the connection */
  saveChatwoot(input: types.SaveChatwootInput, options?: CallOptions): Promise<types.SaveChatwootAnswer>
  /** Get the connection of an instance with Chatwoot */
  getChatwoot(input: types.GetChatwootInput, options?: CallOptions): Promise<types.GetChatwootAnswer>
  /** Remove the connection of an instance with Chatwoot */
  deleteChatwoot(input: types.DeleteChatwootInput, options?: CallOptions): Promise<types.DeleteChatwootAnswer>
  /** Hand stored messages over to Chatwoot, oldest first */
  pushChatwootHistory(input: types.PushChatwootHistoryInput, options?: CallOptions): Promise<types.PushChatwootHistoryAnswer>
  /** Read the event log from a cursor, oldest first, or backwards from its end */
  listEvents(input?: types.ListEventsInput, options?: CallOptions): Promise<types.ListEventsAnswer>
  /** Follow the event log as server-sent events */
  streamEvents(input?: types.StreamEventsInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  /** Resume a held gateway: start sessions, sending and webhooks */
  adminResume(input?: Record<string, never>, options?: CallOptions): Promise<types.AdminResumeAnswer>
  /** List the nodes on the database, and those that ended in the last 24 hours */
  adminListNodes(input?: Record<string, never>, options?: CallOptions): Promise<types.AdminListNodesAnswer>
  /** Drain a node: it hands over its instances and takes none */
  adminDrainNode(input: types.AdminDrainNodeInput, options?: CallOptions): Promise<types.AdminDrainNodeAnswer>
  /** Resume a draining node: it takes instances again */
  adminResumeNode(input: types.AdminResumeNodeInput, options?: CallOptions): Promise<types.AdminResumeNodeAnswer>
  /** List plans */
  adminListPlans(input?: types.AdminListPlansInput, options?: CallOptions): Promise<types.AdminListPlansAnswer>
  /** Create a plan */
  adminCreatePlan(input: types.CreatePlan, options?: CallOptions): Promise<types.AdminCreatePlanAnswer>
  /** Get a plan */
  adminGetPlan(input: types.AdminGetPlanInput, options?: CallOptions): Promise<types.AdminGetPlanAnswer>
  /** Update a plan; omitted fields stay unchanged */
  adminUpdatePlan(input: types.AdminUpdatePlanInput, options?: CallOptions): Promise<types.AdminUpdatePlanAnswer>
  /** Delete a plan that no account uses */
  adminDeletePlan(input: types.AdminDeletePlanInput, options?: CallOptions): Promise<types.AdminDeletePlanAnswer>
  /** List the instances of all accounts, newest first */
  adminListInstances(input?: types.AdminListInstancesInput, options?: CallOptions): Promise<types.AdminListInstancesAnswer>
  /** Get counts of messages, deliveries and sessions of all accounts, or of one */
  adminGetStatistics(input?: types.AdminGetStatisticsInput, options?: CallOptions): Promise<types.OperatorStatistics>
  /** List accounts */
  adminListAccounts(input?: types.AdminListAccountsInput, options?: CallOptions): Promise<types.AdminListAccountsAnswer>
  /** Create an account and its first API key */
  adminCreateAccount(input: types.CreateAccount, options?: CallOptions): Promise<types.AdminCreateAccountAnswer>
  /** Get an account */
  adminGetAccount(input: types.AdminGetAccountInput, options?: CallOptions): Promise<types.AdminGetAccountAnswer>
  /** Rename an account */
  adminUpdateAccount(input: types.AdminUpdateAccountInput, options?: CallOptions): Promise<types.AdminUpdateAccountAnswer>
  /** Delete an account that has no instances */
  adminDeleteAccount(input: types.AdminDeleteAccountInput, options?: CallOptions): Promise<types.AdminDeleteAccountAnswer>
  /** Change the plan, status or dates of a subscription */
  adminUpdateSubscription(input: types.AdminUpdateSubscriptionInput, options?: CallOptions): Promise<types.AdminUpdateSubscriptionAnswer>
  /** List the users of an account */
  adminListUsers(input: types.AdminListUsersInput, options?: CallOptions): Promise<types.AdminListUsersAnswer>
  /** Add a user to an account */
  adminCreateUser(input: types.AdminCreateUserInput, options?: CallOptions): Promise<types.AdminCreateUserAnswer>
  /** Update a user; omitted fields stay unchanged */
  adminUpdateUser(input: types.AdminUpdateUserInput, options?: CallOptions): Promise<types.AdminUpdateUserAnswer>
  /** Remove a user */
  adminDeleteUser(input: types.AdminDeleteUserInput, options?: CallOptions): Promise<types.AdminDeleteUserAnswer>
  /** List the API keys of an account */
  adminListKeys(input: types.AdminListKeysInput, options?: CallOptions): Promise<types.AdminListKeysAnswer>
  /** Create an API key for an account */
  adminCreateKey(input: types.AdminCreateKeyInput, options?: CallOptions): Promise<types.AdminCreateKeyAnswer>
  /** Revoke an API key of an account */
  adminRevokeKey(input: types.AdminRevokeKeyInput, options?: CallOptions): Promise<types.AdminRevokeKeyAnswer>
  /** Replace an API key of an account */
  adminRotateKey(input: types.AdminRotateKeyInput, options?: CallOptions): Promise<types.AdminRotateKeyAnswer>
  /** Check that the process is alive */
  healthz(input?: Record<string, never>, options?: CallOptions): Promise<types.HealthzAnswer>
  /** Check that the process can work: store and workers respond */
  readyz(input?: Record<string, never>, options?: CallOptions): Promise<types.ReadyzAnswer>
  /** Get metrics for Prometheus */
  metrics(input?: Record<string, never>, options?: CallOptions): Promise<FileContent>
  /** List the phones of the account */
  sandboxListPhones(input?: Record<string, never>, options?: CallOptions): Promise<types.SandboxListPhonesAnswer>
  /** Create a person with a phone, or rename one */
  sandboxCreatePhone(input: types.SandboxCreatePhoneInput, options?: CallOptions): Promise<types.SandboxCreatePhoneAnswer>
  /** Get a phone with its linked devices */
  sandboxGetPhone(input: types.SandboxGetPhoneInput, options?: CallOptions): Promise<types.SandboxGetPhoneAnswer>
  /** Change the profile and the privacy settings of a person */
  sandboxChangePhone(input: types.SandboxChangePhoneInput, options?: CallOptions): Promise<types.SandboxChangePhoneAnswer>
  /** Scan a login code with the phone */
  sandboxScan(input: types.SandboxScanInput, options?: CallOptions): Promise<types.SandboxScanAnswer>
  /** Type a pairing code into the phone */
  sandboxEnterCode(input: types.SandboxEnterCodeInput, options?: CallOptions): Promise<types.SandboxEnterCodeAnswer>
  /** Save a contact in the address book of the phone */
  sandboxSaveContact(input: types.SandboxSaveContactInput, options?: CallOptions): Promise<types.SandboxSaveContactAnswer>
  /** Set or remove the profile picture */
  sandboxSetPicture(input: types.SandboxSetPictureInput, options?: CallOptions): Promise<types.SandboxSetPictureAnswer>
  /** Get the profile picture of the phone, or one that the phone sees */
  sandboxGetPicture(input: types.SandboxGetPictureInput, options?: CallOptions): Promise<FileContent>
  /** Block a person on the phone, or end the blocking */
  sandboxBlock(input: types.SandboxBlockInput, options?: CallOptions): Promise<types.SandboxBlockAnswer>
  /** List the messages that the phone shows, oldest first */
  sandboxListMessages(input: types.SandboxListMessagesInput, options?: CallOptions): Promise<types.SandboxListMessagesAnswer>
  /** Get a message, or wait until it is there and has the given status */
  sandboxGetMessage(input: types.SandboxGetMessageInput, options?: CallOptions): Promise<types.SandboxGetMessageAnswer>
  /** Get the decrypted media of a message */
  sandboxGetMedia(input: types.SandboxGetMediaInput, options?: CallOptions): Promise<FileContent>
  /** List the chats of the phone, latest first */
  sandboxListChats(input: types.SandboxListChatsInput, options?: CallOptions): Promise<types.SandboxListChatsAnswer>
  /** Archive, pin, mute or mark a chat */
  sandboxChangeChat(input: types.SandboxChangeChatInput, options?: CallOptions): Promise<types.SandboxChangeChatAnswer>
  /** Delete a chat on the phone and its linked devices */
  sandboxDeleteChat(input: types.SandboxDeleteChatInput, options?: CallOptions): Promise<types.SandboxDeleteChatAnswer>
  /** List the typing notifications that the phone received */
  sandboxListTyping(input: types.SandboxListTypingInput, options?: CallOptions): Promise<types.SandboxListTypingAnswer>
  /** Show typing or recording */
  sandboxType(input: types.SandboxTypeInput, options?: CallOptions): Promise<types.SandboxTypeAnswer>
  /** Send a message from the phone to a number or a group */
  sandboxSend(input: types.SandboxSendInput, options?: CallOptions): Promise<types.SandboxSendAnswer>
  /** Send a file from the phone; the request body is the file */
  sandboxSendMedia(input: types.SandboxSendMediaInput, options?: CallOptions): Promise<types.SandboxSendMediaAnswer>
  /** Send any message content of the protocol from the phone */
  sandboxSendContent(input: types.SandboxSendContentInput, options?: CallOptions): Promise<types.SandboxSendContentAnswer>
  /** Give the phone a passkey, and choose whether the network demands it before it links a device */
  sandboxSetPasskey(input: types.SandboxSetPasskeyInput, options?: CallOptions): Promise<types.SandboxSetPasskeyAnswer>
  /** Get the passkey of the phone with its private key, for the virtual authenticator of a browser */
  sandboxGetPasskey(input: types.SandboxGetPasskeyInput, options?: CallOptions): Promise<types.SandboxGetPasskeyAnswer>
  /** Sign with the passkey of the phone, as the browser of its owner would */
  sandboxSignAssertion(input: types.SandboxSignAssertionInput, options?: CallOptions): Promise<types.SandboxSignAssertionAnswer>
  /** Edit a message of the phone for everyone */
  sandboxEdit(input: types.SandboxEditInput, options?: CallOptions): Promise<types.SandboxEditAnswer>
  /** Delete a message for everyone: one that the phone sent, or as an admin any message of the group */
  sandboxRemove(input: types.SandboxRemoveInput, options?: CallOptions): Promise<types.SandboxRemoveAnswer>
  /** Mark a chat or one message as read */
  sandboxRead(input: types.SandboxReadInput, options?: CallOptions): Promise<types.SandboxReadAnswer>
  /** Tap a reply button or pick a list row */
  sandboxTap(input: types.SandboxTapInput, options?: CallOptions): Promise<types.SandboxTapAnswer>
  /** Vote in a poll */
  sandboxVote(input: types.SandboxVoteInput, options?: CallOptions): Promise<types.SandboxVoteAnswer>
  /** React to a message; an empty emoji removes the reaction */
  sandboxReact(input: types.SandboxReactInput, options?: CallOptions): Promise<types.SandboxReactAnswer>
  /** Pin a message in its chat, or unpin it */
  sandboxPin(input: types.SandboxPinInput, options?: CallOptions): Promise<types.SandboxPinAnswer>
  /** Forward a message to another chat */
  sandboxForward(input: types.SandboxForwardInput, options?: CallOptions): Promise<types.SandboxForwardAnswer>
  /** Set how long the messages of a chat are kept */
  sandboxSetDisappearing(input: types.SandboxSetDisappearingInput, options?: CallOptions): Promise<types.SandboxSetDisappearingAnswer>
  /** Open the app on the phone, or put the phone away */
  sandboxSetPresence(input: types.SandboxSetPresenceInput, options?: CallOptions): Promise<types.SandboxSetPresenceAnswer>
  /** Star a message, or remove the star */
  sandboxStar(input: types.SandboxStarInput, options?: CallOptions): Promise<types.SandboxStarAnswer>
  /** Delete a message on the phone and its linked devices only */
  sandboxDeleteForMe(input: types.SandboxDeleteForMeInput, options?: CallOptions): Promise<types.SandboxDeleteForMeAnswer>
  /** List the labels of the phone */
  sandboxListLabels(input: types.SandboxListLabelsInput, options?: CallOptions): Promise<types.SandboxListLabelsAnswer>
  /** Make a label on a business phone, or change one */
  sandboxSaveLabel(input: types.SandboxSaveLabelInput, options?: CallOptions): Promise<types.SandboxSaveLabelAnswer>
  /** Delete a label of the phone */
  sandboxDeleteLabel(input: types.SandboxDeleteLabelInput, options?: CallOptions): Promise<types.SandboxDeleteLabelAnswer>
  /** Give a label to a chat on the phone, or take it away */
  sandboxLabelChat(input: types.SandboxLabelChatInput, options?: CallOptions): Promise<types.SandboxLabelChatAnswer>
  /** Remove the messages of a chat from the phone and its linked devices */
  sandboxClearChat(input: types.SandboxClearChatInput, options?: CallOptions): Promise<types.SandboxClearChatAnswer>
  /** List the calls of the phone, or wait for one that fits */
  sandboxListCalls(input: types.SandboxListCallsInput, options?: CallOptions): Promise<types.SandboxListCallsAnswer>
  /** Call a number with the phone */
  sandboxPlaceCall(input: types.SandboxPlaceCallInput, options?: CallOptions): Promise<types.SandboxPlaceCallAnswer>
  /** Answer a call on the phone */
  sandboxAnswerCall(input: types.SandboxAnswerCallInput, options?: CallOptions): Promise<types.SandboxAnswerCallAnswer>
  /** End or reject a call on the phone */
  sandboxHangUp(input: types.SandboxHangUpInput, options?: CallOptions): Promise<types.SandboxHangUpAnswer>
  /** Post a status from the phone */
  sandboxPostStatus(input: types.SandboxPostStatusInput, options?: CallOptions): Promise<types.SandboxPostStatusAnswer>
  /** Let the file of a message expire on the network; phones keep theirs */
  sandboxExpireMedia(input: types.SandboxExpireMediaInput, options?: CallOptions): Promise<types.SandboxExpireMediaAnswer>
  /** List the groups that the account created */
  sandboxListGroups(input?: Record<string, never>, options?: CallOptions): Promise<types.SandboxListGroupsAnswer>
  /** Create a group */
  sandboxCreateGroup(input: types.SandboxCreateGroupInput, options?: CallOptions): Promise<types.SandboxCreateGroupAnswer>
  /** Get a group */
  sandboxGetGroup(input: types.SandboxGetGroupInput, options?: CallOptions): Promise<types.SandboxGetGroupAnswer>
  /** Change a group */
  sandboxChangeGroup(input: types.SandboxChangeGroupInput, options?: CallOptions): Promise<types.SandboxChangeGroupAnswer>
  /** List the groups that the phone is in, as the phone shows them */
  sandboxListPhoneGroups(input: types.SandboxListPhoneGroupsInput, options?: CallOptions): Promise<types.SandboxListPhoneGroupsAnswer>
  /** Add, remove, promote or demote members */
  sandboxChangeMembers(input: types.SandboxChangeMembersInput, options?: CallOptions): Promise<types.SandboxChangeMembersAnswer>
  /** Leave a group with a phone */
  sandboxLeaveGroup(input: types.SandboxLeaveGroupInput, options?: CallOptions): Promise<types.SandboxLeaveGroupAnswer>
  /** Approve or reject requests to join a group */
  sandboxAnswerRequests(input: types.SandboxAnswerRequestsInput, options?: CallOptions): Promise<types.SandboxAnswerRequestsAnswer>
  /** Send a personal invitation to people who are not in the group */
  sandboxInvite(input: types.SandboxInviteInput, options?: CallOptions): Promise<types.SandboxInviteAnswer>
  /** Replace the code of the invite link */
  sandboxResetInvite(input: types.SandboxResetInviteInput, options?: CallOptions): Promise<types.SandboxResetInviteAnswer>
  /** Join a group with an invite code or with an invitation that the phone received */
  sandboxJoinGroup(input: types.SandboxJoinGroupInput, options?: CallOptions): Promise<types.SandboxJoinGroupAnswer>
  /** List the lasting faults of the account’s phones */
  sandboxListFaults(input?: Record<string, never>, options?: CallOptions): Promise<types.SandboxListFaultsAnswer>
  /** Start a fault */
  sandboxCreateFault(input: types.SandboxCreateFaultInput, options?: CallOptions): Promise<types.SandboxCreateFaultAnswer>
  /** End the faults of one number, or all */
  sandboxClearFaults(input?: types.SandboxClearFaultsInput, options?: CallOptions): Promise<types.SandboxClearFaultsAnswer>
  /** Put frames of any content on the wire to the linked devices of a phone */
  sandboxInjectFrames(input: types.SandboxInjectFramesInput, options?: CallOptions): Promise<types.SandboxInjectFramesAnswer>
  /** Get the address of the network, its addressing mode and the versions of clients */
  sandboxGetNetwork(input?: Record<string, never>, options?: CallOptions): Promise<types.SandboxGetNetworkAnswer>
  /** Set the addressing mode of the network and the versions of clients, for every account */
  sandboxSetNetwork(input?: types.SandboxSetNetworkInput, options?: CallOptions): Promise<types.SandboxSetNetworkAnswer>
  /** List the changes of the account’s phones, groups and faults */
  sandboxListChanges(input?: types.SandboxListChangesInput, options?: CallOptions): Promise<types.SandboxListChangesAnswer>
  /** List the frames that were sent to and from the account’s phones */
  sandboxListFrames(input?: types.SandboxListFramesInput, options?: CallOptions): Promise<types.SandboxListFramesAnswer>
}

/** Calls that answer with pages, as iterators over their items. */
export interface Iterators {
  /** List messages, newest first: every item of every page */
  iterateMessages(input?: types.ListMessagesInput, options?: CallOptions): AsyncGenerator<types.ListMessagesAnswer['messages'][number]>
  /** List the saved contacts of an instance, sorted by name: every item of every page */
  iterateContacts(input: types.ListContactsInput, options?: CallOptions): AsyncGenerator<types.ListContactsAnswer['contacts'][number]>
  /** List all chats of an instance, latest first, including chats without a saved contact: every item of every page */
  iterateChats(input: types.ListChatsInput, options?: CallOptions): AsyncGenerator<types.ListChatsAnswer['chats'][number]>
  /** List the users of the account, to whom chats can be assigned: every item of every page */
  iterateUsers(input?: types.ListUsersInput, options?: CallOptions): AsyncGenerator<types.ListUsersAnswer['users'][number]>
  /** List what keys did, newest first: every item of every page */
  iterateAudit(input?: types.ListAuditInput, options?: CallOptions): AsyncGenerator<types.ListAuditAnswer['entries'][number]>
  /** List the deliveries of a webhook with all attempts, newest event first: every item of every page */
  iterateDeliveries(input: types.ListDeliveriesInput, options?: CallOptions): AsyncGenerator<types.ListDeliveriesAnswer['deliveries'][number]>
  /** List the deliveries of a destination with all attempts, newest event first: every item of every page */
  iterateDestinationDeliveries(input: types.ListDestinationDeliveriesInput, options?: CallOptions): AsyncGenerator<types.ListDestinationDeliveriesAnswer['deliveries'][number]>
  /** List plans: every item of every page */
  adminIteratePlans(input?: types.AdminListPlansInput, options?: CallOptions): AsyncGenerator<types.AdminListPlansAnswer['plans'][number]>
  /** List the instances of all accounts, newest first: every item of every page */
  adminIterateInstances(input?: types.AdminListInstancesInput, options?: CallOptions): AsyncGenerator<types.AdminListInstancesAnswer['instances'][number]>
  /** List accounts: every item of every page */
  adminIterateAccounts(input?: types.AdminListAccountsInput, options?: CallOptions): AsyncGenerator<types.AdminListAccountsAnswer['accounts'][number]>
  /** List the users of an account: every item of every page */
  adminIterateUsers(input: types.AdminListUsersInput, options?: CallOptions): AsyncGenerator<types.AdminListUsersAnswer['users'][number]>
  /** List the chats of the phone, latest first: every item of every page */
  sandboxIterateChats(input: types.SandboxListChatsInput, options?: CallOptions): AsyncGenerator<types.SandboxListChatsAnswer['chats'][number]>
}

export const OPERATIONS: Readonly<Record<keyof Operations, OperationRow>> = {
  sendText: { method: 'POST', path: '/api/v1/send/text', body: 'json', needsKey: true, isIdempotent: true },
  sendMedia: { method: 'POST', path: '/api/v1/send/media', body: 'json', needsKey: true, isIdempotent: true },
  sendButton: { method: 'POST', path: '/api/v1/send/button', body: 'json', needsKey: true, isIdempotent: true },
  sendList: { method: 'POST', path: '/api/v1/send/list', body: 'json', needsKey: true, isIdempotent: true },
  sendCta: { method: 'POST', path: '/api/v1/send/cta', body: 'json', needsKey: true, isIdempotent: true },
  sendCarousel: { method: 'POST', path: '/api/v1/send/carousel', body: 'json', needsKey: true, isIdempotent: true },
  sendPix: { method: 'POST', path: '/api/v1/send/pix', body: 'json', needsKey: true, isIdempotent: true },
  sendLocation: { method: 'POST', path: '/api/v1/send-location', body: 'json', needsKey: true, isIdempotent: true },
  sendPoll: { method: 'POST', path: '/api/v1/send-poll', body: 'json', needsKey: true, isIdempotent: true },
  sendSticker: { method: 'POST', path: '/api/v1/send/sticker', body: 'json', needsKey: true, isIdempotent: true },
  sendContact: { method: 'POST', path: '/api/v1/send/contact', body: 'json', needsKey: true, isIdempotent: true },
  sendEvent: { method: 'POST', path: '/api/v1/send/event', body: 'json', needsKey: true, isIdempotent: true },
  sendAlbum: { method: 'POST', path: '/api/v1/send/album', body: 'json', needsKey: true, isIdempotent: true },
  sendStatus: { method: 'POST', path: '/api/v1/send/status', body: 'json', needsKey: true, isIdempotent: true },
  sendGroup: { method: 'POST', path: '/api/v1/send-group', body: 'json', needsKey: true, isIdempotent: true },
  uploadMedia: { method: 'POST', path: '/api/v1/media', query: ['fileName'], body: 'file', needsKey: true },
  listMessages: { method: 'GET', path: '/api/v1/messages', query: ['instanceName', 'number', 'groupJid', 'chat', 'status', 'direction', 'type', 'reference', 'since', 'until', 'search', 'page', 'limit'], needsKey: true, pageOf: 'messages' },
  getMessage: { method: 'GET', path: '/api/v1/messages/{messageId}', query: ['instanceName'], needsKey: true },
  deleteMessage: { method: 'DELETE', path: '/api/v1/messages/{messageId}', query: ['instanceName'], needsKey: true, isIdempotent: true },
  cancelMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/cancel', query: ['instanceName'], needsKey: true },
  cancelMessages: { method: 'POST', path: '/api/v1/messages/cancel', body: 'json', needsKey: true },
  getApproval: { method: 'GET', path: '/api/v1/messages/{messageId}/approval', query: ['instanceName'], needsKey: true },
  getApprovalFile: { method: 'GET', path: '/api/v1/messages/{messageId}/approval/files/{mediaId}', query: ['instanceName'], answer: 'file', needsKey: true },
  approveMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/approve', query: ['instanceName'], body: 'json', needsKey: true },
  rejectMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/reject', query: ['instanceName'], body: 'json', needsKey: true },
  getPollVotes: { method: 'GET', path: '/api/v1/messages/{messageId}/votes', query: ['instanceName'], needsKey: true },
  getMessageMedia: { method: 'GET', path: '/api/v1/messages/{messageId}/media', query: ['instanceName'], answer: 'file', needsKey: true },
  reactToMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/reaction', body: 'json', needsKey: true, isIdempotent: true },
  editMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/edit', body: 'json', needsKey: true, isIdempotent: true },
  forwardMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/forward', body: 'json', needsKey: true, isIdempotent: true },
  pinMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/pin', body: 'json', needsKey: true, isIdempotent: true },
  starMessage: { method: 'POST', path: '/api/v1/messages/{messageId}/star', body: 'json', needsKey: true },
  markPlayed: { method: 'POST', path: '/api/v1/messages/{messageId}/played', body: 'json', needsKey: true },
  instanceState: { method: 'GET', path: '/api/v1/instance/state', query: ['instanceName'], needsKey: true },
  instanceActivity: { method: 'GET', path: '/api/v1/instance/activity', query: ['instanceName'], needsKey: true },
  listInstances: { method: 'GET', path: '/api/v1/instance/list', needsKey: true },
  createInstance: { method: 'POST', path: '/api/v1/instance/create', body: 'json', needsKey: true },
  connectInstance: { method: 'POST', path: '/api/v1/instance/connect', query: ['instanceName'], body: 'json', needsKey: true },
  restartInstance: { method: 'POST', path: '/api/v1/instance/restart', query: ['instanceName'], needsKey: true },
  logoutInstance: { method: 'DELETE', path: '/api/v1/instance/logout', query: ['instanceName'], needsKey: true },
  deleteInstance: { method: 'DELETE', path: '/api/v1/instance/delete', query: ['instanceName'], needsKey: true },
  qrImage: { method: 'GET', path: '/api/v1/instance/qr/image', query: ['instanceName'], answer: 'file', needsKey: true },
  profilePicture: { method: 'GET', path: '/api/v1/instance/profile-picture', query: ['instanceName', 'v'], answer: 'file', needsKey: true },
  getPasskey: { method: 'GET', path: '/api/v1/instance/passkey', query: ['instanceName'], needsKey: true },
  answerPasskey: { method: 'POST', path: '/api/v1/instance/passkey/assertion', query: ['instanceName'], body: 'json', needsKey: true },
  confirmPasskey: { method: 'POST', path: '/api/v1/instance/passkey/confirm', query: ['instanceName'], body: 'json', needsKey: true },
  cancelPasskey: { method: 'POST', path: '/api/v1/instance/passkey/cancel', query: ['instanceName'], needsKey: true },
  createPasskeyLink: { method: 'POST', path: '/api/v1/instance/passkey/link', query: ['instanceName'], needsKey: true },
  getSettings: { method: 'GET', path: '/api/v1/instance/settings', query: ['instanceName'], needsKey: true },
  updateSettings: { method: 'PATCH', path: '/api/v1/instance/settings', query: ['instanceName'], body: 'json', needsKey: true },
  getProfile: { method: 'GET', path: '/api/v1/profile', query: ['instanceName'], needsKey: true },
  updateProfile: { method: 'PATCH', path: '/api/v1/profile', query: ['instanceName'], body: 'json', needsKey: true },
  listContacts: { method: 'GET', path: '/api/v1/contacts', query: ['instanceName', 'search', 'page', 'limit', 'includeGroups'], needsKey: true, pageOf: 'contacts' },
  saveContact: { method: 'POST', path: '/api/v1/contacts', body: 'json', needsKey: true },
  getContact: { method: 'GET', path: '/api/v1/contacts/{id}', needsKey: true },
  updateContact: { method: 'PATCH', path: '/api/v1/contacts/{id}', body: 'json', needsKey: true },
  deleteContact: { method: 'DELETE', path: '/api/v1/contacts/{id}', needsKey: true },
  listChats: { method: 'GET', path: '/api/v1/chats', query: ['instanceName', 'number', 'groupJid', 'chat', 'archived', 'pinned', 'unread', 'label', 'assignedTo', 'page', 'limit'], needsKey: true, pageOf: 'chats' },
  updateChat: { method: 'PATCH', path: '/api/v1/chats', body: 'json', needsKey: true },
  clearChat: { method: 'DELETE', path: '/api/v1/chats', query: ['instanceName', 'number', 'groupJid', 'chat'], needsKey: true },
  readChat: { method: 'POST', path: '/api/v1/chats/read', query: ['instanceName'], body: 'json', needsKey: true },
  showPresence: { method: 'POST', path: '/api/v1/chats/presence', body: 'json', needsKey: true },
  chatHistory: { method: 'GET', path: '/api/v1/chats/history', query: ['instanceName', 'number', 'groupJid', 'chat', 'before', 'limit'], needsKey: true },
  listLabels: { method: 'GET', path: '/api/v1/labels', query: ['instanceName'], needsKey: true },
  createLabel: { method: 'POST', path: '/api/v1/labels', body: 'json', needsKey: true },
  updateLabel: { method: 'PATCH', path: '/api/v1/labels/{labelId}', body: 'json', needsKey: true },
  deleteLabel: { method: 'DELETE', path: '/api/v1/labels/{labelId}', query: ['instanceName'], needsKey: true },
  labelChat: { method: 'POST', path: '/api/v1/labels/{labelId}/chats', body: 'json', needsKey: true },
  unlabelChat: { method: 'DELETE', path: '/api/v1/labels/{labelId}/chats', query: ['instanceName', 'number', 'groupJid', 'chat'], needsKey: true },
  assignChat: { method: 'PUT', path: '/api/v1/chats/assignee', body: 'json', needsKey: true },
  listUsers: { method: 'GET', path: '/api/v1/users', query: ['page', 'limit'], needsKey: true, pageOf: 'users' },
  listQuickReplies: { method: 'GET', path: '/api/v1/quick-replies', needsKey: true },
  createQuickReply: { method: 'POST', path: '/api/v1/quick-replies', body: 'json', needsKey: true },
  updateQuickReply: { method: 'PATCH', path: '/api/v1/quick-replies/{id}', body: 'json', needsKey: true },
  deleteQuickReply: { method: 'DELETE', path: '/api/v1/quick-replies/{id}', needsKey: true },
  chatPicture: { method: 'GET', path: '/api/v1/chats/picture', query: ['instanceName', 'number', 'groupJid', 'chat', 'v'], answer: 'file', needsKey: true },
  listGroups: { method: 'GET', path: '/api/v1/groups', query: ['instanceName', 'participants', 'member'], needsKey: true },
  createGroup: { method: 'POST', path: '/api/v1/groups', body: 'json', needsKey: true },
  getGroup: { method: 'GET', path: '/api/v1/groups/{groupJid}', query: ['instanceName'], needsKey: true },
  updateGroup: { method: 'PATCH', path: '/api/v1/groups/{groupJid}', query: ['instanceName'], body: 'json', needsKey: true },
  setGroupPicture: { method: 'PUT', path: '/api/v1/groups/{groupJid}/picture', query: ['instanceName'], body: 'file', needsKey: true },
  deleteGroupPicture: { method: 'DELETE', path: '/api/v1/groups/{groupJid}/picture', query: ['instanceName'], needsKey: true },
  changeGroupMembers: { method: 'POST', path: '/api/v1/groups/{groupJid}/members', query: ['instanceName'], body: 'json', needsKey: true },
  getGroupInvite: { method: 'GET', path: '/api/v1/groups/{groupJid}/invite', query: ['instanceName'], needsKey: true },
  resetGroupInvite: { method: 'POST', path: '/api/v1/groups/{groupJid}/invite/reset', query: ['instanceName'], needsKey: true },
  previewGroupInvite: { method: 'GET', path: '/api/v1/groups/invite/{code}', query: ['instanceName'], needsKey: true },
  joinGroup: { method: 'POST', path: '/api/v1/groups/join', body: 'json', needsKey: true },
  leaveGroup: { method: 'POST', path: '/api/v1/groups/{groupJid}/leave', query: ['instanceName'], needsKey: true },
  listJoinRequests: { method: 'GET', path: '/api/v1/groups/{groupJid}/requests', query: ['instanceName'], needsKey: true },
  answerJoinRequests: { method: 'POST', path: '/api/v1/groups/{groupJid}/requests', query: ['instanceName'], body: 'json', needsKey: true },
  rejectCall: { method: 'POST', path: '/api/v1/calls/{callId}/reject', query: ['instanceName'], needsKey: true },
  getPerson: { method: 'GET', path: '/api/v1/people/{number}', query: ['instanceName'], needsKey: true },
  blockPerson: { method: 'POST', path: '/api/v1/people/{number}/block', query: ['instanceName'], needsKey: true },
  unblockPerson: { method: 'POST', path: '/api/v1/people/{number}/unblock', query: ['instanceName'], needsKey: true },
  getBlocklist: { method: 'GET', path: '/api/v1/blocklist', query: ['instanceName'], needsKey: true },
  listPresence: { method: 'GET', path: '/api/v1/people/presence', query: ['instanceName'], needsKey: true },
  subscribePresence: { method: 'POST', path: '/api/v1/people/presence', body: 'json', needsKey: true },
  checkNumber: { method: 'GET', path: '/api/v1/check-number', query: ['instanceName', 'instance', 'number', 'phone'], needsKey: true },
  checkNumbers: { method: 'GET', path: '/api/v1/check-numbers', query: ['instanceName', 'numbers'], needsKey: true },
  accountLimits: { method: 'GET', path: '/api/v1/account/limits', needsKey: true },
  getStatistics: { method: 'GET', path: '/api/v1/statistics', query: ['range', 'since', 'until', 'utcOffsetMinutes', 'instanceName'], needsKey: true },
  listApiKeys: { method: 'GET', path: '/api/v1/api-keys', needsKey: true },
  createApiKey: { method: 'POST', path: '/api/v1/api-keys', body: 'json', needsKey: true },
  currentApiKey: { method: 'GET', path: '/api/v1/api-keys/current', needsKey: true },
  revokeApiKey: { method: 'DELETE', path: '/api/v1/api-keys/{id}', needsKey: true },
  rotateApiKey: { method: 'POST', path: '/api/v1/api-keys/{id}/rotate', body: 'json', needsKey: true },
  reviewAgentSignIn: { method: 'POST', path: '/api/v1/agent-sign-ins/review', body: 'json', needsKey: true },
  grantAgentSignIn: { method: 'POST', path: '/api/v1/agent-sign-ins', body: 'json', needsKey: true },
  listAudit: { method: 'GET', path: '/api/v1/audit', query: ['keyId', 'page', 'limit'], needsKey: true, pageOf: 'entries' },
  saveWebhook: { method: 'POST', path: '/api/v1/webhooks', body: 'json', needsKey: true },
  listWebhooks: { method: 'GET', path: '/api/v1/webhooks', query: ['instanceName'], needsKey: true },
  getWebhook: { method: 'GET', path: '/api/v1/webhooks/{id}', needsKey: true },
  deleteWebhook: { method: 'DELETE', path: '/api/v1/webhooks/{id}', needsKey: true },
  rotateWebhookSecret: { method: 'POST', path: '/api/v1/webhooks/{id}/rotate-secret', body: 'json', needsKey: true },
  testWebhook: { method: 'POST', path: '/api/v1/webhooks/{id}/test', needsKey: true },
  listDeliveries: { method: 'GET', path: '/api/v1/webhooks/{id}/deliveries', query: ['status', 'page', 'limit'], needsKey: true, pageOf: 'deliveries' },
  getDelivery: { method: 'GET', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}', needsKey: true },
  replayDelivery: { method: 'POST', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay', needsKey: true },
  replayWebhook: { method: 'POST', path: '/api/v1/webhooks/{id}/replay', body: 'json', needsKey: true },
  saveDestination: { method: 'POST', path: '/api/v1/destinations', body: 'json', needsKey: true },
  listDestinations: { method: 'GET', path: '/api/v1/destinations', query: ['instanceName'], needsKey: true },
  getDestination: { method: 'GET', path: '/api/v1/destinations/{id}', needsKey: true },
  deleteDestination: { method: 'DELETE', path: '/api/v1/destinations/{id}', needsKey: true },
  testDestination: { method: 'POST', path: '/api/v1/destinations/{id}/test', needsKey: true },
  listDestinationDeliveries: { method: 'GET', path: '/api/v1/destinations/{id}/deliveries', query: ['status', 'page', 'limit'], needsKey: true, pageOf: 'deliveries' },
  getDestinationDelivery: { method: 'GET', path: '/api/v1/destinations/{id}/deliveries/{deliveryId}', needsKey: true },
  replayDestinationDelivery: { method: 'POST', path: '/api/v1/destinations/{id}/deliveries/{deliveryId}/replay', needsKey: true },
  replayDestination: { method: 'POST', path: '/api/v1/destinations/{id}/replay', body: 'json', needsKey: true },
  saveChatwoot: { method: 'PUT', path: '/api/v1/chatwoot/{instanceName}', body: 'json', needsKey: true },
  getChatwoot: { method: 'GET', path: '/api/v1/chatwoot/{instanceName}', needsKey: true },
  deleteChatwoot: { method: 'DELETE', path: '/api/v1/chatwoot/{instanceName}', needsKey: true },
  pushChatwootHistory: { method: 'POST', path: '/api/v1/chatwoot/{instanceName}/history', body: 'json', needsKey: true },
  listEvents: { method: 'GET', path: '/api/v1/events', query: ['instanceName', 'events', 'after', 'before', 'limit'], needsKey: true },
  streamEvents: { method: 'GET', path: '/api/v1/events/stream', query: ['instanceName', 'events', 'after'], answer: 'stream', needsKey: true },
  adminResume: { method: 'POST', path: '/admin/v1/resume', needsKey: true },
  adminListNodes: { method: 'GET', path: '/admin/v1/nodes', needsKey: true },
  adminDrainNode: { method: 'POST', path: '/admin/v1/nodes/{nodeId}/drain', needsKey: true },
  adminResumeNode: { method: 'POST', path: '/admin/v1/nodes/{nodeId}/resume', needsKey: true },
  adminListPlans: { method: 'GET', path: '/admin/v1/plans', query: ['page', 'limit'], needsKey: true, pageOf: 'plans' },
  adminCreatePlan: { method: 'POST', path: '/admin/v1/plans', body: 'json', needsKey: true },
  adminGetPlan: { method: 'GET', path: '/admin/v1/plans/{id}', needsKey: true },
  adminUpdatePlan: { method: 'PATCH', path: '/admin/v1/plans/{id}', body: 'json', needsKey: true },
  adminDeletePlan: { method: 'DELETE', path: '/admin/v1/plans/{id}', needsKey: true },
  adminListInstances: { method: 'GET', path: '/admin/v1/instances', query: ['page', 'limit', 'accountId', 'state', 'search'], needsKey: true, pageOf: 'instances' },
  adminGetStatistics: { method: 'GET', path: '/admin/v1/statistics', query: ['range', 'since', 'until', 'utcOffsetMinutes', 'accountId'], needsKey: true },
  adminListAccounts: { method: 'GET', path: '/admin/v1/accounts', query: ['page', 'limit'], needsKey: true, pageOf: 'accounts' },
  adminCreateAccount: { method: 'POST', path: '/admin/v1/accounts', body: 'json', needsKey: true },
  adminGetAccount: { method: 'GET', path: '/admin/v1/accounts/{id}', needsKey: true },
  adminUpdateAccount: { method: 'PATCH', path: '/admin/v1/accounts/{id}', body: 'json', needsKey: true },
  adminDeleteAccount: { method: 'DELETE', path: '/admin/v1/accounts/{id}', needsKey: true },
  adminUpdateSubscription: { method: 'PATCH', path: '/admin/v1/accounts/{id}/subscription', body: 'json', needsKey: true },
  adminListUsers: { method: 'GET', path: '/admin/v1/accounts/{id}/users', query: ['page', 'limit'], needsKey: true, pageOf: 'users' },
  adminCreateUser: { method: 'POST', path: '/admin/v1/accounts/{id}/users', body: 'json', needsKey: true },
  adminUpdateUser: { method: 'PATCH', path: '/admin/v1/accounts/{id}/users/{userId}', body: 'json', needsKey: true },
  adminDeleteUser: { method: 'DELETE', path: '/admin/v1/accounts/{id}/users/{userId}', needsKey: true },
  adminListKeys: { method: 'GET', path: '/admin/v1/accounts/{id}/api-keys', needsKey: true },
  adminCreateKey: { method: 'POST', path: '/admin/v1/accounts/{id}/api-keys', body: 'json', needsKey: true },
  adminRevokeKey: { method: 'DELETE', path: '/admin/v1/accounts/{id}/api-keys/{keyId}', needsKey: true },
  adminRotateKey: { method: 'POST', path: '/admin/v1/accounts/{id}/api-keys/{keyId}/rotate', body: 'json', needsKey: true },
  healthz: { method: 'GET', path: '/healthz' },
  readyz: { method: 'GET', path: '/readyz' },
  metrics: { method: 'GET', path: '/metrics', answer: 'file' },
  sandboxListPhones: { method: 'GET', path: '/sandbox/v1/phones', needsKey: true },
  sandboxCreatePhone: { method: 'POST', path: '/sandbox/v1/phones', body: 'json', needsKey: true },
  sandboxGetPhone: { method: 'GET', path: '/sandbox/v1/phones/{number}', needsKey: true },
  sandboxChangePhone: { method: 'PATCH', path: '/sandbox/v1/phones/{number}', body: 'json', needsKey: true },
  sandboxScan: { method: 'POST', path: '/sandbox/v1/phones/{number}/scan', body: 'json', needsKey: true },
  sandboxEnterCode: { method: 'POST', path: '/sandbox/v1/phones/{number}/enter-code', body: 'json', needsKey: true },
  sandboxSaveContact: { method: 'POST', path: '/sandbox/v1/phones/{owner}/contacts', body: 'json', needsKey: true },
  sandboxSetPicture: { method: 'POST', path: '/sandbox/v1/phones/{number}/picture', body: 'json', needsKey: true },
  sandboxGetPicture: { method: 'GET', path: '/sandbox/v1/phones/{number}/picture', query: ['of', 'id'], answer: 'file', needsKey: true },
  sandboxBlock: { method: 'POST', path: '/sandbox/v1/phones/{owner}/block', body: 'json', needsKey: true },
  sandboxListMessages: { method: 'GET', path: '/sandbox/v1/phones/{number}/messages', query: ['after', 'chat', 'limit', 'from', 'before', 'waitMs'], needsKey: true },
  sandboxGetMessage: { method: 'GET', path: '/sandbox/v1/phones/{number}/messages/{id}', query: ['status', 'waitMs'], needsKey: true },
  sandboxGetMedia: { method: 'GET', path: '/sandbox/v1/phones/{number}/messages/{id}/media', query: ['card'], answer: 'file', needsKey: true },
  sandboxListChats: { method: 'GET', path: '/sandbox/v1/phones/{number}/chats', query: ['page', 'limit'], needsKey: true, pageOf: 'chats' },
  sandboxChangeChat: { method: 'PATCH', path: '/sandbox/v1/phones/{number}/chats', body: 'json', needsKey: true },
  sandboxDeleteChat: { method: 'DELETE', path: '/sandbox/v1/phones/{number}/chats', query: ['chat'], needsKey: true },
  sandboxListTyping: { method: 'GET', path: '/sandbox/v1/phones/{number}/typing', query: ['after', 'waitMs'], needsKey: true },
  sandboxType: { method: 'POST', path: '/sandbox/v1/phones/{number}/typing', body: 'json', needsKey: true },
  sandboxSend: { method: 'POST', path: '/sandbox/v1/phones/{number}/send', body: 'json', needsKey: true },
  sandboxSendMedia: { method: 'POST', path: '/sandbox/v1/phones/{number}/media', query: ['to', 'type', 'caption', 'fileName', 'voiceNote', 'videoNote', 'viewOnce', 'seconds', 'quoted'], body: 'file', needsKey: true },
  sandboxSendContent: { method: 'POST', path: '/sandbox/v1/phones/{number}/send-content', body: 'json', needsKey: true },
  sandboxSetPasskey: { method: 'POST', path: '/sandbox/v1/phones/{number}/passkey', body: 'json', needsKey: true },
  sandboxGetPasskey: { method: 'GET', path: '/sandbox/v1/phones/{number}/passkey', needsKey: true },
  sandboxSignAssertion: { method: 'POST', path: '/sandbox/v1/phones/{number}/passkey/assertion', body: 'json', needsKey: true },
  sandboxEdit: { method: 'POST', path: '/sandbox/v1/phones/{number}/edit', body: 'json', needsKey: true },
  sandboxRemove: { method: 'POST', path: '/sandbox/v1/phones/{number}/delete', body: 'json', needsKey: true },
  sandboxRead: { method: 'POST', path: '/sandbox/v1/phones/{number}/read', body: 'json', needsKey: true },
  sandboxTap: { method: 'POST', path: '/sandbox/v1/phones/{number}/tap', body: 'json', needsKey: true },
  sandboxVote: { method: 'POST', path: '/sandbox/v1/phones/{number}/vote', body: 'json', needsKey: true },
  sandboxReact: { method: 'POST', path: '/sandbox/v1/phones/{number}/react', body: 'json', needsKey: true },
  sandboxPin: { method: 'POST', path: '/sandbox/v1/phones/{number}/pin', body: 'json', needsKey: true },
  sandboxForward: { method: 'POST', path: '/sandbox/v1/phones/{number}/forward', body: 'json', needsKey: true },
  sandboxSetDisappearing: { method: 'POST', path: '/sandbox/v1/phones/{number}/disappearing', body: 'json', needsKey: true },
  sandboxSetPresence: { method: 'POST', path: '/sandbox/v1/phones/{number}/presence', body: 'json', needsKey: true },
  sandboxStar: { method: 'POST', path: '/sandbox/v1/phones/{number}/star', body: 'json', needsKey: true },
  sandboxDeleteForMe: { method: 'POST', path: '/sandbox/v1/phones/{number}/delete-for-me', body: 'json', needsKey: true },
  sandboxListLabels: { method: 'GET', path: '/sandbox/v1/phones/{number}/labels', needsKey: true },
  sandboxSaveLabel: { method: 'POST', path: '/sandbox/v1/phones/{number}/labels', body: 'json', needsKey: true },
  sandboxDeleteLabel: { method: 'DELETE', path: '/sandbox/v1/phones/{number}/labels', query: ['labelId'], needsKey: true },
  sandboxLabelChat: { method: 'POST', path: '/sandbox/v1/phones/{number}/label-chat', body: 'json', needsKey: true },
  sandboxClearChat: { method: 'POST', path: '/sandbox/v1/phones/{number}/clear-chat', body: 'json', needsKey: true },
  sandboxListCalls: { method: 'GET', path: '/sandbox/v1/phones/{number}/calls', query: ['callId', 'status', 'waitMs'], needsKey: true },
  sandboxPlaceCall: { method: 'POST', path: '/sandbox/v1/phones/{number}/call', body: 'json', needsKey: true },
  sandboxAnswerCall: { method: 'POST', path: '/sandbox/v1/phones/{number}/answer-call', body: 'json', needsKey: true },
  sandboxHangUp: { method: 'POST', path: '/sandbox/v1/phones/{number}/hang-up', body: 'json', needsKey: true },
  sandboxPostStatus: { method: 'POST', path: '/sandbox/v1/phones/{number}/status', body: 'json', needsKey: true },
  sandboxExpireMedia: { method: 'POST', path: '/sandbox/v1/phones/{number}/expire-media', body: 'json', needsKey: true },
  sandboxListGroups: { method: 'GET', path: '/sandbox/v1/groups', needsKey: true },
  sandboxCreateGroup: { method: 'POST', path: '/sandbox/v1/groups', body: 'json', needsKey: true },
  sandboxGetGroup: { method: 'GET', path: '/sandbox/v1/groups/{jid}', needsKey: true },
  sandboxChangeGroup: { method: 'PATCH', path: '/sandbox/v1/groups/{jid}', body: 'json', needsKey: true },
  sandboxListPhoneGroups: { method: 'GET', path: '/sandbox/v1/phones/{number}/groups', needsKey: true },
  sandboxChangeMembers: { method: 'POST', path: '/sandbox/v1/groups/{jid}/members', body: 'json', needsKey: true },
  sandboxLeaveGroup: { method: 'POST', path: '/sandbox/v1/groups/{jid}/leave', body: 'json', needsKey: true },
  sandboxAnswerRequests: { method: 'POST', path: '/sandbox/v1/groups/{jid}/requests', body: 'json', needsKey: true },
  sandboxInvite: { method: 'POST', path: '/sandbox/v1/groups/{jid}/invitations', body: 'json', needsKey: true },
  sandboxResetInvite: { method: 'POST', path: '/sandbox/v1/groups/{jid}/invite-code', body: 'json', needsKey: true },
  sandboxJoinGroup: { method: 'POST', path: '/sandbox/v1/phones/{number}/join', body: 'json', needsKey: true },
  sandboxListFaults: { method: 'GET', path: '/sandbox/v1/faults', needsKey: true },
  sandboxCreateFault: { method: 'POST', path: '/sandbox/v1/faults', body: 'json', needsKey: true },
  sandboxClearFaults: { method: 'DELETE', path: '/sandbox/v1/faults', query: ['number', 'kind'], needsKey: true },
  sandboxInjectFrames: { method: 'POST', path: '/sandbox/v1/injections', body: 'json', needsKey: true },
  sandboxGetNetwork: { method: 'GET', path: '/sandbox/v1/network', needsKey: true },
  sandboxSetNetwork: { method: 'POST', path: '/sandbox/v1/network', body: 'json', needsKey: true },
  sandboxListChanges: { method: 'GET', path: '/sandbox/v1/changes', query: ['after', 'waitMs'], needsKey: true },
  sandboxListFrames: { method: 'GET', path: '/sandbox/v1/frames', query: ['after', 'id', 'number', 'tag', 'limit'], needsKey: true },
}
