# Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from . import types
from ._call import FileContent


class Calls(ABC):
    """Every call of the API."""

    @abstractmethod
    def _call(
        self,
        name: str,
        fields: Mapping[str, Any],
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
    ) -> Any: ...

    @abstractmethod
    def _pages(self, name: str, fields: Mapping[str, Any]) -> Iterator[Any]: ...

    def send_text(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendText]) -> types.SendAnswer:
        """Send a text."""
        answer: types.SendAnswer = self._call("send_text", fields, idempotency_key, wait_seconds)
        return answer

    def send_media(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendMedia]) -> types.SendAnswer:
        """Send an image, video, document or audio file."""
        answer: types.SendAnswer = self._call("send_media", fields, idempotency_key, wait_seconds)
        return answer

    def send_button(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendButton]) -> types.SendAnswer:
        """Send reply buttons."""
        answer: types.SendAnswer = self._call("send_button", fields, idempotency_key, wait_seconds)
        return answer

    def send_list(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendList]) -> types.SendAnswer:
        """Send a list menu."""
        answer: types.SendAnswer = self._call("send_list", fields, idempotency_key, wait_seconds)
        return answer

    def send_cta(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendCta]) -> types.SendAnswer:
        """Send buttons that open, call, copy or reply, also mixed."""
        answer: types.SendAnswer = self._call("send_cta", fields, idempotency_key, wait_seconds)
        return answer

    def send_carousel(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendCarousel]) -> types.SendAnswer:
        """Send a carousel of cards."""
        answer: types.SendAnswer = self._call("send_carousel", fields, idempotency_key, wait_seconds)
        return answer

    def send_pix(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendPix]) -> types.SendAnswer:
        """Send a PIX key, for payments in Brazil."""
        answer: types.SendAnswer = self._call("send_pix", fields, idempotency_key, wait_seconds)
        return answer

    def send_location(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendLocation]) -> types.SendAnswer:
        """Send a location."""
        answer: types.SendAnswer = self._call("send_location", fields, idempotency_key, wait_seconds)
        return answer

    def send_poll(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendPoll]) -> types.SendAnswer:
        """Send a poll."""
        answer: types.SendAnswer = self._call("send_poll", fields, idempotency_key, wait_seconds)
        return answer

    def send_sticker(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendSticker]) -> types.SendAnswer:
        """Send a sticker: a WebP as it is, or any other image, which becomes one of 512 × 512 pixels."""
        answer: types.SendAnswer = self._call("send_sticker", fields, idempotency_key, wait_seconds)
        return answer

    def send_contact(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendContact]) -> types.SendAnswer:
        """Send contact cards."""
        answer: types.SendAnswer = self._call("send_contact", fields, idempotency_key, wait_seconds)
        return answer

    def send_event(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendEvent]) -> types.SendAnswer:
        """Send an event: a title, a time and a place."""
        answer: types.SendAnswer = self._call("send_event", fields, idempotency_key, wait_seconds)
        return answer

    def send_album(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendAlbum]) -> types.AlbumAnswer:
        """Send several images and videos as one album."""
        answer: types.AlbumAnswer = self._call("send_album", fields, idempotency_key, wait_seconds)
        return answer

    def send_status(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendStatus]) -> types.SendAnswer:
        """Post a status to all saved contacts or to listed numbers."""
        answer: types.SendAnswer = self._call("send_status", fields, idempotency_key, wait_seconds)
        return answer

    def send_group(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.SendGroup]) -> types.SendAnswer:
        """Send a text to a group."""
        answer: types.SendAnswer = self._call("send_group", fields, idempotency_key, wait_seconds)
        return answer

    def upload_media(self, **fields: Unpack[types.UploadMediaInput]) -> types.UploadedMedia:
        """Upload a file to send."""
        answer: types.UploadedMedia = self._call("upload_media", fields)
        return answer

    def list_messages(self, **fields: Unpack[types.ListMessagesInput]) -> types.ListMessagesAnswer:
        """List messages, newest first."""
        answer: types.ListMessagesAnswer = self._call("list_messages", fields)
        return answer

    def iter_messages(self, **fields: Unpack[types.ListMessagesInput]) -> Iterator[types.Message]:
        """List messages, newest first: every item of every page."""
        return self._pages("list_messages", fields)

    def get_message(self, **fields: Unpack[types.GetMessageInput]) -> types.GetMessageAnswer:
        """Get a message and its status."""
        answer: types.GetMessageAnswer = self._call("get_message", fields)
        return answer

    def delete_message(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.DeleteMessageInput]) -> types.SendAnswer:
        """Delete a message for everyone."""
        answer: types.SendAnswer = self._call("delete_message", fields, idempotency_key, wait_seconds)
        return answer

    def cancel_message(self, **fields: Unpack[types.CancelMessageInput]) -> types.CancelMessageAnswer:
        """Cancel a message that waits to be sent."""
        answer: types.CancelMessageAnswer = self._call("cancel_message", fields)
        return answer

    def cancel_messages(self, **fields: Unpack[types.CancelMessages]) -> types.CanceledMessages:
        """Cancel all messages with a reference that wait to be sent."""
        answer: types.CanceledMessages = self._call("cancel_messages", fields)
        return answer

    def get_approval(self, **fields: Unpack[types.GetApprovalInput]) -> types.GetApprovalAnswer:
        """Get a send that waits for approval, with everything that the decision needs."""
        answer: types.GetApprovalAnswer = self._call("get_approval", fields)
        return answer

    def get_approval_file(self, **fields: Unpack[types.GetApprovalFileInput]) -> FileContent:
        """Download a file of a send that waits for approval."""
        answer: FileContent = self._call("get_approval_file", fields)
        return answer

    def approve_message(self, **fields: Unpack[types.ApproveMessageInput]) -> types.ApproveMessageAnswer:
        """Approve a send that waits for approval."""
        answer: types.ApproveMessageAnswer = self._call("approve_message", fields)
        return answer

    def reject_message(self, **fields: Unpack[types.RejectMessageInput]) -> types.RejectMessageAnswer:
        """Reject a send that waits for approval."""
        answer: types.RejectMessageAnswer = self._call("reject_message", fields)
        return answer

    def get_poll_votes(self, **fields: Unpack[types.GetPollVotesInput]) -> types.GetPollVotesAnswer:
        """Count the votes in a poll."""
        answer: types.GetPollVotesAnswer = self._call("get_poll_votes", fields)
        return answer

    def get_message_media(self, **fields: Unpack[types.GetMessageMediaInput]) -> FileContent:
        """Download the file of a message."""
        answer: FileContent = self._call("get_message_media", fields)
        return answer

    def react_to_message(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.ReactToMessageInput]) -> types.SendAnswer:
        """React to a message, or withdraw the reaction."""
        answer: types.SendAnswer = self._call("react_to_message", fields, idempotency_key, wait_seconds)
        return answer

    def edit_message(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.EditMessageInput]) -> types.SendAnswer:
        """Edit the text or caption of a sent message."""
        answer: types.SendAnswer = self._call("edit_message", fields, idempotency_key, wait_seconds)
        return answer

    def forward_message(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.ForwardMessageInput]) -> types.SendAnswer:
        """Forward a message to another chat of the instance."""
        answer: types.SendAnswer = self._call("forward_message", fields, idempotency_key, wait_seconds)
        return answer

    def pin_message(self, *, idempotency_key: str | None = None, wait_seconds: int | None = None, **fields: Unpack[types.PinMessageInput]) -> types.SendAnswer:
        """Pin a message in its chat for everyone, or remove the pin."""
        answer: types.SendAnswer = self._call("pin_message", fields, idempotency_key, wait_seconds)
        return answer

    def star_message(self, **fields: Unpack[types.StarMessageInput]) -> types.StarMessageAnswer:
        """Star a message on the devices of the owner, or remove the star."""
        answer: types.StarMessageAnswer = self._call("star_message", fields)
        return answer

    def mark_played(self, **fields: Unpack[types.MarkPlayedInput]) -> types.MarkPlayedAnswer:
        """Mark a received voice message as played."""
        answer: types.MarkPlayedAnswer = self._call("mark_played", fields)
        return answer

    def instance_state(self, **fields: Unpack[types.InstanceStateInput]) -> types.InstanceStateAnswer:
        """Get the connection state of an instance."""
        answer: types.InstanceStateAnswer = self._call("instance_state", fields)
        return answer

    def instance_activity(self, **fields: Unpack[types.InstanceActivityInput]) -> types.InstanceActivityAnswer:
        """Get the activity of an instance: queued messages, last failure, messages per hour of the last 24 hours."""
        answer: types.InstanceActivityAnswer = self._call("instance_activity", fields)
        return answer

    def list_instances(self) -> types.ListInstancesAnswer:
        """List all instances of the account."""
        answer: types.ListInstancesAnswer = self._call("list_instances", {})
        return answer

    def create_instance(self, **fields: Unpack[types.CreateInstance]) -> types.CreateInstanceAnswer:
        """Create an instance and start pairing."""
        answer: types.CreateInstanceAnswer = self._call("create_instance", fields)
        return answer

    def connect_instance(self, **fields: Unpack[types.ConnectInstanceInput]) -> types.ConnectInstanceAnswer:
        """Start or restart pairing, by QR code or pairing code."""
        answer: types.ConnectInstanceAnswer = self._call("connect_instance", fields)
        return answer

    def restart_instance(self, **fields: Unpack[types.RestartInstanceInput]) -> types.RestartInstanceAnswer:
        """Reconnect without logging out."""
        answer: types.RestartInstanceAnswer = self._call("restart_instance", fields)
        return answer

    def logout_instance(self, **fields: Unpack[types.LogoutInstanceInput]) -> types.LogoutInstanceAnswer:
        """Log out and delete the session data."""
        answer: types.LogoutInstanceAnswer = self._call("logout_instance", fields)
        return answer

    def delete_instance(self, **fields: Unpack[types.DeleteInstanceInput]) -> types.DeleteInstanceAnswer:
        """Delete an instance that is logged out."""
        answer: types.DeleteInstanceAnswer = self._call("delete_instance", fields)
        return answer

    def qr_image(self, **fields: Unpack[types.QrImageInput]) -> FileContent:
        """Get the login QR code as an image."""
        answer: FileContent = self._call("qr_image", fields)
        return answer

    def profile_picture(self, **fields: Unpack[types.ProfilePictureInput]) -> FileContent:
        """Get the profile picture of the connected account."""
        answer: FileContent = self._call("profile_picture", fields)
        return answer

    def get_passkey(self, **fields: Unpack[types.GetPasskeyInput]) -> types.GetPasskeyAnswer:
        """Get the passkey step of an instance, with the challenge of the network."""
        answer: types.GetPasskeyAnswer = self._call("get_passkey", fields)
        return answer

    def answer_passkey(self, **fields: Unpack[types.AnswerPasskeyInput]) -> types.AnswerPasskeyAnswer:
        """Hand in the assertion of the passkey."""
        answer: types.AnswerPasskeyAnswer = self._call("answer_passkey", fields)
        return answer

    def confirm_passkey(self, **fields: Unpack[types.ConfirmPasskeyInput]) -> types.ConfirmPasskeyAnswer:
        """Confirm that the phone shows the same code."""
        answer: types.ConfirmPasskeyAnswer = self._call("confirm_passkey", fields)
        return answer

    def cancel_passkey(self, **fields: Unpack[types.CancelPasskeyInput]) -> types.CancelPasskeyAnswer:
        """End the passkey step without a linked device, as when the codes differ."""
        answer: types.CancelPasskeyAnswer = self._call("cancel_passkey", fields)
        return answer

    def create_passkey_link(self, **fields: Unpack[types.CreatePasskeyLinkInput]) -> types.CreatePasskeyLinkAnswer:
        """Create a one-time link to a page that leads through the passkey step without a key."""
        answer: types.CreatePasskeyLinkAnswer = self._call("create_passkey_link", fields)
        return answer

    def get_settings(self, **fields: Unpack[types.GetSettingsInput]) -> types.GetSettingsAnswer:
        """Get the settings of an instance."""
        answer: types.GetSettingsAnswer = self._call("get_settings", fields)
        return answer

    def update_settings(self, **fields: Unpack[types.UpdateSettingsInput]) -> types.UpdateSettingsAnswer:
        """Change the settings of an instance; omitted fields stay unchanged."""
        answer: types.UpdateSettingsAnswer = self._call("update_settings", fields)
        return answer

    def get_profile(self, **fields: Unpack[types.GetProfileInput]) -> types.GetProfileAnswer:
        """Read your profile and its privacy settings from the network."""
        answer: types.GetProfileAnswer = self._call("get_profile", fields)
        return answer

    def update_profile(self, **fields: Unpack[types.UpdateProfileInput]) -> types.UpdateProfileAnswer:
        """Change your profile and its privacy settings; omitted fields stay unchanged."""
        answer: types.UpdateProfileAnswer = self._call("update_profile", fields)
        return answer

    def list_contacts(self, **fields: Unpack[types.ListContactsInput]) -> types.ListContactsAnswer:
        """List the saved contacts of an instance, sorted by name."""
        answer: types.ListContactsAnswer = self._call("list_contacts", fields)
        return answer

    def iter_contacts(self, **fields: Unpack[types.ListContactsInput]) -> Iterator[types.Contact]:
        """List the saved contacts of an instance, sorted by name: every item of every page."""
        return self._pages("list_contacts", fields)

    def save_contact(self, **fields: Unpack[types.SaveContact]) -> types.SaveContactAnswer:
        """Save a chat as a contact."""
        answer: types.SaveContactAnswer = self._call("save_contact", fields)
        return answer

    def get_contact(self, **fields: Unpack[types.GetContactInput]) -> types.GetContactAnswer:
        """Get a contact."""
        answer: types.GetContactAnswer = self._call("get_contact", fields)
        return answer

    def update_contact(self, **fields: Unpack[types.UpdateContactInput]) -> types.UpdateContactAnswer:
        """Update a contact; omitted fields stay unchanged."""
        answer: types.UpdateContactAnswer = self._call("update_contact", fields)
        return answer

    def delete_contact(self, **fields: Unpack[types.DeleteContactInput]) -> types.DeleteContactAnswer:
        """Delete a contact; its chat is kept."""
        answer: types.DeleteContactAnswer = self._call("delete_contact", fields)
        return answer

    def list_chats(self, **fields: Unpack[types.ListChatsInput]) -> types.ListChatsAnswer:
        """List all chats of an instance, latest first, including chats without a saved contact."""
        answer: types.ListChatsAnswer = self._call("list_chats", fields)
        return answer

    def iter_chats(self, **fields: Unpack[types.ListChatsInput]) -> Iterator[types.Chat]:
        """List all chats of an instance, latest first, including chats without a saved contact: every item of every page."""
        return self._pages("list_chats", fields)

    def update_chat(self, **fields: Unpack[types.UpdateChat]) -> types.UpdateChatAnswer:
        """Change the settings of a chat; omitted fields stay unchanged."""
        answer: types.UpdateChatAnswer = self._call("update_chat", fields)
        return answer

    def clear_chat(self, **fields: Unpack[types.ClearChatInput]) -> types.ClearChatAnswer:
        """Delete the messages of a chat on the devices of the owner and in the gateway."""
        answer: types.ClearChatAnswer = self._call("clear_chat", fields)
        return answer

    def read_chat(self, **fields: Unpack[types.ReadChatInput]) -> types.ReadChatAnswer:
        """Mark a chat as read."""
        answer: types.ReadChatAnswer = self._call("read_chat", fields)
        return answer

    def show_presence(self, **fields: Unpack[types.ShowPresence]) -> types.ShowPresenceAnswer:
        """Show that the instance is typing or recording in a chat."""
        answer: types.ShowPresenceAnswer = self._call("show_presence", fields)
        return answer

    def chat_history(self, **fields: Unpack[types.ChatHistoryInput]) -> types.ChatHistoryAnswer:
        """List older messages of a chat, and request more from the phone."""
        answer: types.ChatHistoryAnswer = self._call("chat_history", fields)
        return answer

    def list_labels(self, **fields: Unpack[types.ListLabelsInput]) -> types.ListLabelsAnswer:
        """List the labels of an instance, in the order of their creation."""
        answer: types.ListLabelsAnswer = self._call("list_labels", fields)
        return answer

    def create_label(self, **fields: Unpack[types.CreateLabel]) -> types.CreateLabelAnswer:
        """Create a label on all devices of the owner."""
        answer: types.CreateLabelAnswer = self._call("create_label", fields)
        return answer

    def update_label(self, **fields: Unpack[types.UpdateLabelInput]) -> types.UpdateLabelAnswer:
        """Change the name or the colour of a label; omitted fields stay unchanged."""
        answer: types.UpdateLabelAnswer = self._call("update_label", fields)
        return answer

    def delete_label(self, **fields: Unpack[types.DeleteLabelInput]) -> types.DeleteLabelAnswer:
        """Delete a label on all devices of the owner; its chats are kept."""
        answer: types.DeleteLabelAnswer = self._call("delete_label", fields)
        return answer

    def label_chat(self, **fields: Unpack[types.LabelChatInput]) -> types.LabelChatAnswer:
        """Give a label to a chat."""
        answer: types.LabelChatAnswer = self._call("label_chat", fields)
        return answer

    def unlabel_chat(self, **fields: Unpack[types.UnlabelChatInput]) -> types.UnlabelChatAnswer:
        """Take a label from a chat."""
        answer: types.UnlabelChatAnswer = self._call("unlabel_chat", fields)
        return answer

    def assign_chat(self, **fields: Unpack[types.AssignChat]) -> types.AssignChatAnswer:
        """Assign a chat to a user of the account."""
        answer: types.AssignChatAnswer = self._call("assign_chat", fields)
        return answer

    def list_users(self, **fields: Unpack[types.ListUsersInput]) -> types.ListUsersAnswer:
        """List the users of the account, to whom chats can be assigned."""
        answer: types.ListUsersAnswer = self._call("list_users", fields)
        return answer

    def iter_users(self, **fields: Unpack[types.ListUsersInput]) -> Iterator[types.TeamMember]:
        """List the users of the account, to whom chats can be assigned: every item of every page."""
        return self._pages("list_users", fields)

    def list_quick_replies(self) -> types.ListQuickRepliesAnswer:
        """List the quick replies of the account, sorted by shortcut."""
        answer: types.ListQuickRepliesAnswer = self._call("list_quick_replies", {})
        return answer

    def create_quick_reply(self, **fields: Unpack[types.CreateQuickReply]) -> types.CreateQuickReplyAnswer:
        """Create a quick reply."""
        answer: types.CreateQuickReplyAnswer = self._call("create_quick_reply", fields)
        return answer

    def update_quick_reply(self, **fields: Unpack[types.UpdateQuickReplyInput]) -> types.UpdateQuickReplyAnswer:
        """Change a quick reply; omitted fields stay unchanged."""
        answer: types.UpdateQuickReplyAnswer = self._call("update_quick_reply", fields)
        return answer

    def delete_quick_reply(self, **fields: Unpack[types.DeleteQuickReplyInput]) -> types.DeleteQuickReplyAnswer:
        """Delete a quick reply."""
        answer: types.DeleteQuickReplyAnswer = self._call("delete_quick_reply", fields)
        return answer

    def chat_picture(self, **fields: Unpack[types.ChatPictureInput]) -> FileContent:
        """Get the profile picture of a person or group."""
        answer: FileContent = self._call("chat_picture", fields)
        return answer

    def list_groups(self, **fields: Unpack[types.ListGroupsInput]) -> types.ListGroupsAnswer:
        """List the groups of an instance."""
        answer: types.ListGroupsAnswer = self._call("list_groups", fields)
        return answer

    def create_group(self, **fields: Unpack[types.CreateGroup]) -> types.CreateGroupAnswer:
        """Create a group."""
        answer: types.CreateGroupAnswer = self._call("create_group", fields)
        return answer

    def get_group(self, **fields: Unpack[types.GetGroupInput]) -> types.GetGroupAnswer:
        """Read a group and its participants from the network."""
        answer: types.GetGroupAnswer = self._call("get_group", fields)
        return answer

    def update_group(self, **fields: Unpack[types.UpdateGroupInput]) -> types.UpdateGroupAnswer:
        """Change the settings of a group; omitted fields stay unchanged."""
        answer: types.UpdateGroupAnswer = self._call("update_group", fields)
        return answer

    def set_group_picture(self, **fields: Unpack[types.SetGroupPictureInput]) -> types.SetGroupPictureAnswer:
        """Set the picture of a group."""
        answer: types.SetGroupPictureAnswer = self._call("set_group_picture", fields)
        return answer

    def delete_group_picture(self, **fields: Unpack[types.DeleteGroupPictureInput]) -> types.DeleteGroupPictureAnswer:
        """Remove the picture of a group."""
        answer: types.DeleteGroupPictureAnswer = self._call("delete_group_picture", fields)
        return answer

    def change_group_members(self, **fields: Unpack[types.ChangeGroupMembersInput]) -> types.ChangeGroupMembersAnswer:
        """Add, remove, promote or demote members of a group."""
        answer: types.ChangeGroupMembersAnswer = self._call("change_group_members", fields)
        return answer

    def get_group_invite(self, **fields: Unpack[types.GetGroupInviteInput]) -> types.GetGroupInviteAnswer:
        """Get the invite link of a group."""
        answer: types.GetGroupInviteAnswer = self._call("get_group_invite", fields)
        return answer

    def reset_group_invite(self, **fields: Unpack[types.ResetGroupInviteInput]) -> types.ResetGroupInviteAnswer:
        """Replace the invite link of a group; the old link no longer works."""
        answer: types.ResetGroupInviteAnswer = self._call("reset_group_invite", fields)
        return answer

    def preview_group_invite(self, **fields: Unpack[types.PreviewGroupInviteInput]) -> types.PreviewGroupInviteAnswer:
        """Show the group of an invite link without joining it."""
        answer: types.PreviewGroupInviteAnswer = self._call("preview_group_invite", fields)
        return answer

    def join_group(self, **fields: Unpack[types.JoinGroup]) -> types.JoinGroupAnswer:
        """Join the group of an invite link."""
        answer: types.JoinGroupAnswer = self._call("join_group", fields)
        return answer

    def leave_group(self, **fields: Unpack[types.LeaveGroupInput]) -> types.LeaveGroupAnswer:
        """Leave a group."""
        answer: types.LeaveGroupAnswer = self._call("leave_group", fields)
        return answer

    def list_join_requests(self, **fields: Unpack[types.ListJoinRequestsInput]) -> types.ListJoinRequestsAnswer:
        """List the people who ask to join a group."""
        answer: types.ListJoinRequestsAnswer = self._call("list_join_requests", fields)
        return answer

    def answer_join_requests(self, **fields: Unpack[types.AnswerJoinRequestsInput]) -> types.AnswerJoinRequestsAnswer:
        """Approve or reject requests to join a group."""
        answer: types.AnswerJoinRequestsAnswer = self._call("answer_join_requests", fields)
        return answer

    def reject_call(self, **fields: Unpack[types.RejectCallInput]) -> types.RejectCallAnswer:
        """Reject an incoming call."""
        answer: types.RejectCallAnswer = self._call("reject_call", fields)
        return answer

    def get_person(self, **fields: Unpack[types.GetPersonInput]) -> types.GetPersonAnswer:
        """Read what a person shows: about text, picture, business profile, and whether they are blocked."""
        answer: types.GetPersonAnswer = self._call("get_person", fields)
        return answer

    def block_person(self, **fields: Unpack[types.BlockPersonInput]) -> types.BlockPersonAnswer:
        """Block a person."""
        answer: types.BlockPersonAnswer = self._call("block_person", fields)
        return answer

    def unblock_person(self, **fields: Unpack[types.UnblockPersonInput]) -> types.UnblockPersonAnswer:
        """Unblock a person."""
        answer: types.UnblockPersonAnswer = self._call("unblock_person", fields)
        return answer

    def get_blocklist(self, **fields: Unpack[types.GetBlocklistInput]) -> types.GetBlocklistAnswer:
        """List the people that the account has blocked."""
        answer: types.GetBlocklistAnswer = self._call("get_blocklist", fields)
        return answer

    def list_presence(self, **fields: Unpack[types.ListPresenceInput]) -> types.ListPresenceAnswer:
        """List the people whose presence is followed, with the last reported presence."""
        answer: types.ListPresenceAnswer = self._call("list_presence", fields)
        return answer

    def subscribe_presence(self, **fields: Unpack[types.SubscribePresence]) -> types.SubscribePresenceAnswer:
        """Follow the presence of people, or stop following it."""
        answer: types.SubscribePresenceAnswer = self._call("subscribe_presence", fields)
        return answer

    def check_number(self, **fields: Unpack[types.CheckNumberInput]) -> types.CheckNumberAnswer:
        """Ask the network whether a number is registered."""
        answer: types.CheckNumberAnswer = self._call("check_number", fields)
        return answer

    def check_numbers(self, **fields: Unpack[types.CheckNumbersInput]) -> types.CheckNumbersAnswer:
        """Ask the network which of up to 200 numbers are registered."""
        answer: types.CheckNumbersAnswer = self._call("check_numbers", fields)
        return answer

    def account_limits(self) -> types.AccountLimits:
        """Get plan, subscription, usage and limits."""
        answer: types.AccountLimits = self._call("account_limits", {})
        return answer

    def get_statistics(self, **fields: Unpack[types.GetStatisticsInput]) -> types.Statistics:
        """Get counts of messages, deliveries and sessions."""
        answer: types.Statistics = self._call("get_statistics", fields)
        return answer

    def list_api_keys(self) -> types.ListApiKeysAnswer:
        """List the API keys of the account."""
        answer: types.ListApiKeysAnswer = self._call("list_api_keys", {})
        return answer

    def create_api_key(self, **fields: Unpack[types.CreateApiKey]) -> types.CreateApiKeyAnswer:
        """Create an API key."""
        answer: types.CreateApiKeyAnswer = self._call("create_api_key", fields)
        return answer

    def current_api_key(self) -> types.CurrentApiKeyAnswer:
        """Get the API key of this request: its scopes, walls and instances."""
        answer: types.CurrentApiKeyAnswer = self._call("current_api_key", {})
        return answer

    def revoke_api_key(self, **fields: Unpack[types.RevokeApiKeyInput]) -> types.RevokeApiKeyAnswer:
        """Revoke an API key; takes effect within a second."""
        answer: types.RevokeApiKeyAnswer = self._call("revoke_api_key", fields)
        return answer

    def rotate_api_key(self, **fields: Unpack[types.RotateApiKeyInput]) -> types.RotateApiKeyAnswer:
        """Replace an API key; the old one stays valid for `overlapHours`."""
        answer: types.RotateApiKeyAnswer = self._call("rotate_api_key", fields)
        return answer

    def review_agent_sign_in(self, **fields: Unpack[types.ReviewAgentSignIn]) -> types.ReviewAgentSignInAnswer:
        """Check the sign-in that an agent requests, for the authorization page."""
        answer: types.ReviewAgentSignInAnswer = self._call("review_agent_sign_in", fields)
        return answer

    def grant_agent_sign_in(self, **fields: Unpack[types.GrantAgentSignIn]) -> types.GrantAgentSignInAnswer:
        """Allow the sign-in of an agent: returns where the browser goes with a code for a key with walls."""
        answer: types.GrantAgentSignInAnswer = self._call("grant_agent_sign_in", fields)
        return answer

    def list_audit(self, **fields: Unpack[types.ListAuditInput]) -> types.ListAuditAnswer:
        """List what keys did, newest first."""
        answer: types.ListAuditAnswer = self._call("list_audit", fields)
        return answer

    def iter_audit(self, **fields: Unpack[types.ListAuditInput]) -> Iterator[types.AuditEntry]:
        """List what keys did, newest first: every item of every page."""
        return self._pages("list_audit", fields)

    def save_webhook(self, **fields: Unpack[types.SaveWebhook]) -> types.SaveWebhookAnswer:
        """Create a webhook, or update one by its id."""
        answer: types.SaveWebhookAnswer = self._call("save_webhook", fields)
        return answer

    def list_webhooks(self, **fields: Unpack[types.ListWebhooksInput]) -> types.ListWebhooksAnswer:
        """List webhooks with masked secrets."""
        answer: types.ListWebhooksAnswer = self._call("list_webhooks", fields)
        return answer

    def get_webhook(self, **fields: Unpack[types.GetWebhookInput]) -> types.GetWebhookAnswer:
        """Get a webhook with its secret masked."""
        answer: types.GetWebhookAnswer = self._call("get_webhook", fields)
        return answer

    def delete_webhook(self, **fields: Unpack[types.DeleteWebhookInput]) -> types.DeleteWebhookAnswer:
        """Delete a webhook."""
        answer: types.DeleteWebhookAnswer = self._call("delete_webhook", fields)
        return answer

    def rotate_webhook_secret(self, **fields: Unpack[types.RotateWebhookSecretInput]) -> types.RotateWebhookSecretAnswer:
        """Replace the secret of a webhook and return the new one."""
        answer: types.RotateWebhookSecretAnswer = self._call("rotate_webhook_secret", fields)
        return answer

    def test_webhook(self, **fields: Unpack[types.TestWebhookInput]) -> types.TestWebhookAnswer:
        """Send a signed test event and return the response of the receiver."""
        answer: types.TestWebhookAnswer = self._call("test_webhook", fields)
        return answer

    def list_deliveries(self, **fields: Unpack[types.ListDeliveriesInput]) -> types.ListDeliveriesAnswer:
        """List the deliveries of a webhook with all attempts, newest event first."""
        answer: types.ListDeliveriesAnswer = self._call("list_deliveries", fields)
        return answer

    def iter_deliveries(self, **fields: Unpack[types.ListDeliveriesInput]) -> Iterator[types.Delivery]:
        """List the deliveries of a webhook with all attempts, newest event first: every item of every page."""
        return self._pages("list_deliveries", fields)

    def get_delivery(self, **fields: Unpack[types.GetDeliveryInput]) -> types.GetDeliveryAnswer:
        """Get a delivery with its requests and responses."""
        answer: types.GetDeliveryAnswer = self._call("get_delivery", fields)
        return answer

    def replay_delivery(self, **fields: Unpack[types.ReplayDeliveryInput]) -> types.ReplayDeliveryAnswer:
        """Send a delivery again."""
        answer: types.ReplayDeliveryAnswer = self._call("replay_delivery", fields)
        return answer

    def replay_webhook(self, **fields: Unpack[types.ReplayWebhookInput]) -> types.ReplayWebhookAnswer:
        """Send all events since a given time again, in order."""
        answer: types.ReplayWebhookAnswer = self._call("replay_webhook", fields)
        return answer

    def save_destination(self, **fields: Unpack[types.SaveDestination]) -> types.SaveDestinationAnswer:
        """Create a destination, or update one by its id."""
        answer: types.SaveDestinationAnswer = self._call("save_destination", fields)
        return answer

    def list_destinations(self, **fields: Unpack[types.ListDestinationsInput]) -> types.ListDestinationsAnswer:
        """List destinations."""
        answer: types.ListDestinationsAnswer = self._call("list_destinations", fields)
        return answer

    def get_destination(self, **fields: Unpack[types.GetDestinationInput]) -> types.GetDestinationAnswer:
        """Get a destination."""
        answer: types.GetDestinationAnswer = self._call("get_destination", fields)
        return answer

    def delete_destination(self, **fields: Unpack[types.DeleteDestinationInput]) -> types.DeleteDestinationAnswer:
        """Delete a destination."""
        answer: types.DeleteDestinationAnswer = self._call("delete_destination", fields)
        return answer

    def test_destination(self, **fields: Unpack[types.TestDestinationInput]) -> types.TestDestinationAnswer:
        """Send a test message and return what the broker confirmed."""
        answer: types.TestDestinationAnswer = self._call("test_destination", fields)
        return answer

    def list_destination_deliveries(self, **fields: Unpack[types.ListDestinationDeliveriesInput]) -> types.ListDestinationDeliveriesAnswer:
        """List the deliveries of a destination with all attempts, newest event first."""
        answer: types.ListDestinationDeliveriesAnswer = self._call("list_destination_deliveries", fields)
        return answer

    def iter_destination_deliveries(self, **fields: Unpack[types.ListDestinationDeliveriesInput]) -> Iterator[types.Delivery]:
        """List the deliveries of a destination with all attempts, newest event first: every item of every page."""
        return self._pages("list_destination_deliveries", fields)

    def get_destination_delivery(self, **fields: Unpack[types.GetDestinationDeliveryInput]) -> types.GetDestinationDeliveryAnswer:
        """Get a delivery with its messages and confirmations."""
        answer: types.GetDestinationDeliveryAnswer = self._call("get_destination_delivery", fields)
        return answer

    def replay_destination_delivery(self, **fields: Unpack[types.ReplayDestinationDeliveryInput]) -> types.ReplayDestinationDeliveryAnswer:
        """Send a delivery again."""
        answer: types.ReplayDestinationDeliveryAnswer = self._call("replay_destination_delivery", fields)
        return answer

    def replay_destination(self, **fields: Unpack[types.ReplayDestinationInput]) -> types.ReplayDestinationAnswer:
        """Send all events since a given time again, in order."""
        answer: types.ReplayDestinationAnswer = self._call("replay_destination", fields)
        return answer

    def save_chatwoot(self, **fields: Unpack[types.SaveChatwootInput]) -> types.SaveChatwootAnswer:
        """Connect an instance with an inbox of Chatwoot, or change the connection."""
        answer: types.SaveChatwootAnswer = self._call("save_chatwoot", fields)
        return answer

    def get_chatwoot(self, **fields: Unpack[types.GetChatwootInput]) -> types.GetChatwootAnswer:
        """Get the connection of an instance with Chatwoot."""
        answer: types.GetChatwootAnswer = self._call("get_chatwoot", fields)
        return answer

    def delete_chatwoot(self, **fields: Unpack[types.DeleteChatwootInput]) -> types.DeleteChatwootAnswer:
        """Remove the connection of an instance with Chatwoot."""
        answer: types.DeleteChatwootAnswer = self._call("delete_chatwoot", fields)
        return answer

    def push_chatwoot_history(self, **fields: Unpack[types.PushChatwootHistoryInput]) -> types.PushChatwootHistoryAnswer:
        """Hand stored messages over to Chatwoot, oldest first."""
        answer: types.PushChatwootHistoryAnswer = self._call("push_chatwoot_history", fields)
        return answer

    def list_events(self, **fields: Unpack[types.ListEventsInput]) -> types.ListEventsAnswer:
        """Read the event log from a cursor, oldest first, or backwards from its end."""
        answer: types.ListEventsAnswer = self._call("list_events", fields)
        return answer

    def admin_resume(self) -> types.AdminResumeAnswer:
        """Resume a held gateway: start sessions, sending and webhooks."""
        answer: types.AdminResumeAnswer = self._call("admin_resume", {})
        return answer

    def admin_list_nodes(self) -> types.AdminListNodesAnswer:
        """List the nodes on the database, and those that ended in the last 24 hours."""
        answer: types.AdminListNodesAnswer = self._call("admin_list_nodes", {})
        return answer

    def admin_drain_node(self, **fields: Unpack[types.AdminDrainNodeInput]) -> types.AdminDrainNodeAnswer:
        """Drain a node: it hands over its instances and takes none."""
        answer: types.AdminDrainNodeAnswer = self._call("admin_drain_node", fields)
        return answer

    def admin_resume_node(self, **fields: Unpack[types.AdminResumeNodeInput]) -> types.AdminResumeNodeAnswer:
        """Resume a draining node: it takes instances again."""
        answer: types.AdminResumeNodeAnswer = self._call("admin_resume_node", fields)
        return answer

    def admin_list_plans(self, **fields: Unpack[types.AdminListPlansInput]) -> types.AdminListPlansAnswer:
        """List plans."""
        answer: types.AdminListPlansAnswer = self._call("admin_list_plans", fields)
        return answer

    def admin_iter_plans(self, **fields: Unpack[types.AdminListPlansInput]) -> Iterator[types.Plan]:
        """List plans: every item of every page."""
        return self._pages("admin_list_plans", fields)

    def admin_create_plan(self, **fields: Unpack[types.CreatePlan]) -> types.AdminCreatePlanAnswer:
        """Create a plan."""
        answer: types.AdminCreatePlanAnswer = self._call("admin_create_plan", fields)
        return answer

    def admin_get_plan(self, **fields: Unpack[types.AdminGetPlanInput]) -> types.AdminGetPlanAnswer:
        """Get a plan."""
        answer: types.AdminGetPlanAnswer = self._call("admin_get_plan", fields)
        return answer

    def admin_update_plan(self, **fields: Unpack[types.AdminUpdatePlanInput]) -> types.AdminUpdatePlanAnswer:
        """Update a plan; omitted fields stay unchanged."""
        answer: types.AdminUpdatePlanAnswer = self._call("admin_update_plan", fields)
        return answer

    def admin_delete_plan(self, **fields: Unpack[types.AdminDeletePlanInput]) -> types.AdminDeletePlanAnswer:
        """Delete a plan that no account uses."""
        answer: types.AdminDeletePlanAnswer = self._call("admin_delete_plan", fields)
        return answer

    def admin_list_instances(self, **fields: Unpack[types.AdminListInstancesInput]) -> types.AdminListInstancesAnswer:
        """List the instances of all accounts, newest first."""
        answer: types.AdminListInstancesAnswer = self._call("admin_list_instances", fields)
        return answer

    def admin_iter_instances(self, **fields: Unpack[types.AdminListInstancesInput]) -> Iterator[types.OperatorInstance]:
        """List the instances of all accounts, newest first: every item of every page."""
        return self._pages("admin_list_instances", fields)

    def admin_get_statistics(self, **fields: Unpack[types.AdminGetStatisticsInput]) -> types.OperatorStatistics:
        """Get counts of messages, deliveries and sessions of all accounts, or of one."""
        answer: types.OperatorStatistics = self._call("admin_get_statistics", fields)
        return answer

    def admin_list_accounts(self, **fields: Unpack[types.AdminListAccountsInput]) -> types.AdminListAccountsAnswer:
        """List accounts."""
        answer: types.AdminListAccountsAnswer = self._call("admin_list_accounts", fields)
        return answer

    def admin_iter_accounts(self, **fields: Unpack[types.AdminListAccountsInput]) -> Iterator[types.Account]:
        """List accounts: every item of every page."""
        return self._pages("admin_list_accounts", fields)

    def admin_create_account(self, **fields: Unpack[types.CreateAccount]) -> types.AdminCreateAccountAnswer:
        """Create an account and its first API key."""
        answer: types.AdminCreateAccountAnswer = self._call("admin_create_account", fields)
        return answer

    def admin_get_account(self, **fields: Unpack[types.AdminGetAccountInput]) -> types.AdminGetAccountAnswer:
        """Get an account."""
        answer: types.AdminGetAccountAnswer = self._call("admin_get_account", fields)
        return answer

    def admin_update_account(self, **fields: Unpack[types.AdminUpdateAccountInput]) -> types.AdminUpdateAccountAnswer:
        """Rename an account."""
        answer: types.AdminUpdateAccountAnswer = self._call("admin_update_account", fields)
        return answer

    def admin_delete_account(self, **fields: Unpack[types.AdminDeleteAccountInput]) -> types.AdminDeleteAccountAnswer:
        """Delete an account that has no instances."""
        answer: types.AdminDeleteAccountAnswer = self._call("admin_delete_account", fields)
        return answer

    def admin_update_subscription(self, **fields: Unpack[types.AdminUpdateSubscriptionInput]) -> types.AdminUpdateSubscriptionAnswer:
        """Change the plan, status or dates of a subscription."""
        answer: types.AdminUpdateSubscriptionAnswer = self._call("admin_update_subscription", fields)
        return answer

    def admin_list_users(self, **fields: Unpack[types.AdminListUsersInput]) -> types.AdminListUsersAnswer:
        """List the users of an account."""
        answer: types.AdminListUsersAnswer = self._call("admin_list_users", fields)
        return answer

    def admin_iter_users(self, **fields: Unpack[types.AdminListUsersInput]) -> Iterator[types.User]:
        """List the users of an account: every item of every page."""
        return self._pages("admin_list_users", fields)

    def admin_create_user(self, **fields: Unpack[types.AdminCreateUserInput]) -> types.AdminCreateUserAnswer:
        """Add a user to an account."""
        answer: types.AdminCreateUserAnswer = self._call("admin_create_user", fields)
        return answer

    def admin_update_user(self, **fields: Unpack[types.AdminUpdateUserInput]) -> types.AdminUpdateUserAnswer:
        """Update a user; omitted fields stay unchanged."""
        answer: types.AdminUpdateUserAnswer = self._call("admin_update_user", fields)
        return answer

    def admin_delete_user(self, **fields: Unpack[types.AdminDeleteUserInput]) -> types.AdminDeleteUserAnswer:
        """Remove a user."""
        answer: types.AdminDeleteUserAnswer = self._call("admin_delete_user", fields)
        return answer

    def admin_list_keys(self, **fields: Unpack[types.AdminListKeysInput]) -> types.AdminListKeysAnswer:
        """List the API keys of an account."""
        answer: types.AdminListKeysAnswer = self._call("admin_list_keys", fields)
        return answer

    def admin_create_key(self, **fields: Unpack[types.AdminCreateKeyInput]) -> types.AdminCreateKeyAnswer:
        """Create an API key for an account."""
        answer: types.AdminCreateKeyAnswer = self._call("admin_create_key", fields)
        return answer

    def admin_revoke_key(self, **fields: Unpack[types.AdminRevokeKeyInput]) -> types.AdminRevokeKeyAnswer:
        """Revoke an API key of an account."""
        answer: types.AdminRevokeKeyAnswer = self._call("admin_revoke_key", fields)
        return answer

    def admin_rotate_key(self, **fields: Unpack[types.AdminRotateKeyInput]) -> types.AdminRotateKeyAnswer:
        """Replace an API key of an account."""
        answer: types.AdminRotateKeyAnswer = self._call("admin_rotate_key", fields)
        return answer

    def healthz(self) -> types.HealthzAnswer:
        """Check that the process is alive."""
        answer: types.HealthzAnswer = self._call("healthz", {})
        return answer

    def readyz(self) -> types.ReadyzAnswer:
        """Check that the process can work: store and workers respond."""
        answer: types.ReadyzAnswer = self._call("readyz", {})
        return answer

    def metrics(self) -> FileContent:
        """Get metrics for Prometheus."""
        answer: FileContent = self._call("metrics", {})
        return answer

    def sandbox_list_phones(self) -> types.SandboxListPhonesAnswer:
        """List the phones of the account."""
        answer: types.SandboxListPhonesAnswer = self._call("sandbox_list_phones", {})
        return answer

    def sandbox_create_phone(self, **fields: Unpack[types.SandboxCreatePhoneInput]) -> types.SandboxCreatePhoneAnswer:
        """Create a person with a phone, or rename one."""
        answer: types.SandboxCreatePhoneAnswer = self._call("sandbox_create_phone", fields)
        return answer

    def sandbox_get_phone(self, **fields: Unpack[types.SandboxGetPhoneInput]) -> types.SandboxGetPhoneAnswer:
        """Get a phone with its linked devices."""
        answer: types.SandboxGetPhoneAnswer = self._call("sandbox_get_phone", fields)
        return answer

    def sandbox_change_phone(self, **fields: Unpack[types.SandboxChangePhoneInput]) -> types.SandboxChangePhoneAnswer:
        """Change the profile and the privacy settings of a person."""
        answer: types.SandboxChangePhoneAnswer = self._call("sandbox_change_phone", fields)
        return answer

    def sandbox_scan(self, **fields: Unpack[types.SandboxScanInput]) -> types.SandboxScanAnswer:
        """Scan a login code with the phone."""
        answer: types.SandboxScanAnswer = self._call("sandbox_scan", fields)
        return answer

    def sandbox_enter_code(self, **fields: Unpack[types.SandboxEnterCodeInput]) -> types.SandboxEnterCodeAnswer:
        """Type a pairing code into the phone."""
        answer: types.SandboxEnterCodeAnswer = self._call("sandbox_enter_code", fields)
        return answer

    def sandbox_save_contact(self, **fields: Unpack[types.SandboxSaveContactInput]) -> types.SandboxSaveContactAnswer:
        """Save a contact in the address book of the phone."""
        answer: types.SandboxSaveContactAnswer = self._call("sandbox_save_contact", fields)
        return answer

    def sandbox_set_picture(self, **fields: Unpack[types.SandboxSetPictureInput]) -> types.SandboxSetPictureAnswer:
        """Set or remove the profile picture."""
        answer: types.SandboxSetPictureAnswer = self._call("sandbox_set_picture", fields)
        return answer

    def sandbox_get_picture(self, **fields: Unpack[types.SandboxGetPictureInput]) -> FileContent:
        """Get the profile picture of the phone, or one that the phone sees."""
        answer: FileContent = self._call("sandbox_get_picture", fields)
        return answer

    def sandbox_block(self, **fields: Unpack[types.SandboxBlockInput]) -> types.SandboxBlockAnswer:
        """Block a person on the phone, or end the blocking."""
        answer: types.SandboxBlockAnswer = self._call("sandbox_block", fields)
        return answer

    def sandbox_list_messages(self, **fields: Unpack[types.SandboxListMessagesInput]) -> types.SandboxListMessagesAnswer:
        """List the messages that the phone shows, oldest first."""
        answer: types.SandboxListMessagesAnswer = self._call("sandbox_list_messages", fields)
        return answer

    def sandbox_get_message(self, **fields: Unpack[types.SandboxGetMessageInput]) -> types.SandboxGetMessageAnswer:
        """Get a message, or wait until it is there and has the given status."""
        answer: types.SandboxGetMessageAnswer = self._call("sandbox_get_message", fields)
        return answer

    def sandbox_get_media(self, **fields: Unpack[types.SandboxGetMediaInput]) -> FileContent:
        """Get the decrypted media of a message."""
        answer: FileContent = self._call("sandbox_get_media", fields)
        return answer

    def sandbox_list_chats(self, **fields: Unpack[types.SandboxListChatsInput]) -> types.SandboxListChatsAnswer:
        """List the chats of the phone, latest first."""
        answer: types.SandboxListChatsAnswer = self._call("sandbox_list_chats", fields)
        return answer

    def sandbox_iter_chats(self, **fields: Unpack[types.SandboxListChatsInput]) -> Iterator[types.SandboxListChatsAnswerChatsItem]:
        """List the chats of the phone, latest first: every item of every page."""
        return self._pages("sandbox_list_chats", fields)

    def sandbox_change_chat(self, **fields: Unpack[types.SandboxChangeChatInput]) -> types.SandboxChangeChatAnswer:
        """Archive, pin, mute or mark a chat."""
        answer: types.SandboxChangeChatAnswer = self._call("sandbox_change_chat", fields)
        return answer

    def sandbox_delete_chat(self, **fields: Unpack[types.SandboxDeleteChatInput]) -> types.SandboxDeleteChatAnswer:
        """Delete a chat on the phone and its linked devices."""
        answer: types.SandboxDeleteChatAnswer = self._call("sandbox_delete_chat", fields)
        return answer

    def sandbox_list_typing(self, **fields: Unpack[types.SandboxListTypingInput]) -> types.SandboxListTypingAnswer:
        """List the typing notifications that the phone received."""
        answer: types.SandboxListTypingAnswer = self._call("sandbox_list_typing", fields)
        return answer

    def sandbox_type(self, **fields: Unpack[types.SandboxTypeInput]) -> types.SandboxTypeAnswer:
        """Show typing or recording."""
        answer: types.SandboxTypeAnswer = self._call("sandbox_type", fields)
        return answer

    def sandbox_send(self, **fields: Unpack[types.SandboxSendInput]) -> types.SandboxSendAnswer:
        """Send a message from the phone to a number or a group."""
        answer: types.SandboxSendAnswer = self._call("sandbox_send", fields)
        return answer

    def sandbox_send_media(self, **fields: Unpack[types.SandboxSendMediaInput]) -> types.SandboxSendMediaAnswer:
        """Send a file from the phone; the request body is the file."""
        answer: types.SandboxSendMediaAnswer = self._call("sandbox_send_media", fields)
        return answer

    def sandbox_send_content(self, **fields: Unpack[types.SandboxSendContentInput]) -> types.SandboxSendContentAnswer:
        """Send any message content of the protocol from the phone."""
        answer: types.SandboxSendContentAnswer = self._call("sandbox_send_content", fields)
        return answer

    def sandbox_set_passkey(self, **fields: Unpack[types.SandboxSetPasskeyInput]) -> types.SandboxSetPasskeyAnswer:
        """Give the phone a passkey, and choose whether the network demands it before it links a device."""
        answer: types.SandboxSetPasskeyAnswer = self._call("sandbox_set_passkey", fields)
        return answer

    def sandbox_get_passkey(self, **fields: Unpack[types.SandboxGetPasskeyInput]) -> types.SandboxGetPasskeyAnswer:
        """Get the passkey of the phone with its private key, for the virtual authenticator of a browser."""
        answer: types.SandboxGetPasskeyAnswer = self._call("sandbox_get_passkey", fields)
        return answer

    def sandbox_sign_assertion(self, **fields: Unpack[types.SandboxSignAssertionInput]) -> types.SandboxSignAssertionAnswer:
        """Sign with the passkey of the phone, as the browser of its owner would."""
        answer: types.SandboxSignAssertionAnswer = self._call("sandbox_sign_assertion", fields)
        return answer

    def sandbox_edit(self, **fields: Unpack[types.SandboxEditInput]) -> types.SandboxEditAnswer:
        """Edit a message of the phone for everyone."""
        answer: types.SandboxEditAnswer = self._call("sandbox_edit", fields)
        return answer

    def sandbox_remove(self, **fields: Unpack[types.SandboxRemoveInput]) -> types.SandboxRemoveAnswer:
        """Delete a message for everyone: one that the phone sent, or as an admin any message of the group."""
        answer: types.SandboxRemoveAnswer = self._call("sandbox_remove", fields)
        return answer

    def sandbox_read(self, **fields: Unpack[types.SandboxReadInput]) -> types.SandboxReadAnswer:
        """Mark a chat or one message as read."""
        answer: types.SandboxReadAnswer = self._call("sandbox_read", fields)
        return answer

    def sandbox_tap(self, **fields: Unpack[types.SandboxTapInput]) -> types.SandboxTapAnswer:
        """Tap a reply button or pick a list row."""
        answer: types.SandboxTapAnswer = self._call("sandbox_tap", fields)
        return answer

    def sandbox_vote(self, **fields: Unpack[types.SandboxVoteInput]) -> types.SandboxVoteAnswer:
        """Vote in a poll."""
        answer: types.SandboxVoteAnswer = self._call("sandbox_vote", fields)
        return answer

    def sandbox_react(self, **fields: Unpack[types.SandboxReactInput]) -> types.SandboxReactAnswer:
        """React to a message; an empty emoji removes the reaction."""
        answer: types.SandboxReactAnswer = self._call("sandbox_react", fields)
        return answer

    def sandbox_pin(self, **fields: Unpack[types.SandboxPinInput]) -> types.SandboxPinAnswer:
        """Pin a message in its chat, or unpin it."""
        answer: types.SandboxPinAnswer = self._call("sandbox_pin", fields)
        return answer

    def sandbox_forward(self, **fields: Unpack[types.SandboxForwardInput]) -> types.SandboxForwardAnswer:
        """Forward a message to another chat."""
        answer: types.SandboxForwardAnswer = self._call("sandbox_forward", fields)
        return answer

    def sandbox_set_disappearing(self, **fields: Unpack[types.SandboxSetDisappearingInput]) -> types.SandboxSetDisappearingAnswer:
        """Set how long the messages of a chat are kept."""
        answer: types.SandboxSetDisappearingAnswer = self._call("sandbox_set_disappearing", fields)
        return answer

    def sandbox_set_presence(self, **fields: Unpack[types.SandboxSetPresenceInput]) -> types.SandboxSetPresenceAnswer:
        """Open the app on the phone, or put the phone away."""
        answer: types.SandboxSetPresenceAnswer = self._call("sandbox_set_presence", fields)
        return answer

    def sandbox_star(self, **fields: Unpack[types.SandboxStarInput]) -> types.SandboxStarAnswer:
        """Star a message, or remove the star."""
        answer: types.SandboxStarAnswer = self._call("sandbox_star", fields)
        return answer

    def sandbox_delete_for_me(self, **fields: Unpack[types.SandboxDeleteForMeInput]) -> types.SandboxDeleteForMeAnswer:
        """Delete a message on the phone and its linked devices only."""
        answer: types.SandboxDeleteForMeAnswer = self._call("sandbox_delete_for_me", fields)
        return answer

    def sandbox_list_labels(self, **fields: Unpack[types.SandboxListLabelsInput]) -> types.SandboxListLabelsAnswer:
        """List the labels of the phone."""
        answer: types.SandboxListLabelsAnswer = self._call("sandbox_list_labels", fields)
        return answer

    def sandbox_save_label(self, **fields: Unpack[types.SandboxSaveLabelInput]) -> types.SandboxSaveLabelAnswer:
        """Make a label on a business phone, or change one."""
        answer: types.SandboxSaveLabelAnswer = self._call("sandbox_save_label", fields)
        return answer

    def sandbox_delete_label(self, **fields: Unpack[types.SandboxDeleteLabelInput]) -> types.SandboxDeleteLabelAnswer:
        """Delete a label of the phone."""
        answer: types.SandboxDeleteLabelAnswer = self._call("sandbox_delete_label", fields)
        return answer

    def sandbox_label_chat(self, **fields: Unpack[types.SandboxLabelChatInput]) -> types.SandboxLabelChatAnswer:
        """Give a label to a chat on the phone, or take it away."""
        answer: types.SandboxLabelChatAnswer = self._call("sandbox_label_chat", fields)
        return answer

    def sandbox_clear_chat(self, **fields: Unpack[types.SandboxClearChatInput]) -> types.SandboxClearChatAnswer:
        """Remove the messages of a chat from the phone and its linked devices."""
        answer: types.SandboxClearChatAnswer = self._call("sandbox_clear_chat", fields)
        return answer

    def sandbox_list_calls(self, **fields: Unpack[types.SandboxListCallsInput]) -> types.SandboxListCallsAnswer:
        """List the calls of the phone, or wait for one that fits."""
        answer: types.SandboxListCallsAnswer = self._call("sandbox_list_calls", fields)
        return answer

    def sandbox_place_call(self, **fields: Unpack[types.SandboxPlaceCallInput]) -> types.SandboxPlaceCallAnswer:
        """Call a number with the phone."""
        answer: types.SandboxPlaceCallAnswer = self._call("sandbox_place_call", fields)
        return answer

    def sandbox_answer_call(self, **fields: Unpack[types.SandboxAnswerCallInput]) -> types.SandboxAnswerCallAnswer:
        """Answer a call on the phone."""
        answer: types.SandboxAnswerCallAnswer = self._call("sandbox_answer_call", fields)
        return answer

    def sandbox_hang_up(self, **fields: Unpack[types.SandboxHangUpInput]) -> types.SandboxHangUpAnswer:
        """End or reject a call on the phone."""
        answer: types.SandboxHangUpAnswer = self._call("sandbox_hang_up", fields)
        return answer

    def sandbox_post_status(self, **fields: Unpack[types.SandboxPostStatusInput]) -> types.SandboxPostStatusAnswer:
        """Post a status from the phone."""
        answer: types.SandboxPostStatusAnswer = self._call("sandbox_post_status", fields)
        return answer

    def sandbox_expire_media(self, **fields: Unpack[types.SandboxExpireMediaInput]) -> types.SandboxExpireMediaAnswer:
        """Let the file of a message expire on the network; phones keep theirs."""
        answer: types.SandboxExpireMediaAnswer = self._call("sandbox_expire_media", fields)
        return answer

    def sandbox_list_groups(self) -> types.SandboxListGroupsAnswer:
        """List the groups that the account created."""
        answer: types.SandboxListGroupsAnswer = self._call("sandbox_list_groups", {})
        return answer

    def sandbox_create_group(self, **fields: Unpack[types.SandboxCreateGroupInput]) -> types.SandboxCreateGroupAnswer:
        """Create a group."""
        answer: types.SandboxCreateGroupAnswer = self._call("sandbox_create_group", fields)
        return answer

    def sandbox_get_group(self, **fields: Unpack[types.SandboxGetGroupInput]) -> types.SandboxGetGroupAnswer:
        """Get a group."""
        answer: types.SandboxGetGroupAnswer = self._call("sandbox_get_group", fields)
        return answer

    def sandbox_change_group(self, **fields: Unpack[types.SandboxChangeGroupInput]) -> types.SandboxChangeGroupAnswer:
        """Change a group."""
        answer: types.SandboxChangeGroupAnswer = self._call("sandbox_change_group", fields)
        return answer

    def sandbox_list_phone_groups(self, **fields: Unpack[types.SandboxListPhoneGroupsInput]) -> types.SandboxListPhoneGroupsAnswer:
        """List the groups that the phone is in, as the phone shows them."""
        answer: types.SandboxListPhoneGroupsAnswer = self._call("sandbox_list_phone_groups", fields)
        return answer

    def sandbox_change_members(self, **fields: Unpack[types.SandboxChangeMembersInput]) -> types.SandboxChangeMembersAnswer:
        """Add, remove, promote or demote members."""
        answer: types.SandboxChangeMembersAnswer = self._call("sandbox_change_members", fields)
        return answer

    def sandbox_leave_group(self, **fields: Unpack[types.SandboxLeaveGroupInput]) -> types.SandboxLeaveGroupAnswer:
        """Leave a group with a phone."""
        answer: types.SandboxLeaveGroupAnswer = self._call("sandbox_leave_group", fields)
        return answer

    def sandbox_answer_requests(self, **fields: Unpack[types.SandboxAnswerRequestsInput]) -> types.SandboxAnswerRequestsAnswer:
        """Approve or reject requests to join a group."""
        answer: types.SandboxAnswerRequestsAnswer = self._call("sandbox_answer_requests", fields)
        return answer

    def sandbox_invite(self, **fields: Unpack[types.SandboxInviteInput]) -> types.SandboxInviteAnswer:
        """Send a personal invitation to people who are not in the group."""
        answer: types.SandboxInviteAnswer = self._call("sandbox_invite", fields)
        return answer

    def sandbox_reset_invite(self, **fields: Unpack[types.SandboxResetInviteInput]) -> types.SandboxResetInviteAnswer:
        """Replace the code of the invite link."""
        answer: types.SandboxResetInviteAnswer = self._call("sandbox_reset_invite", fields)
        return answer

    def sandbox_join_group(self, **fields: Unpack[types.SandboxJoinGroupInput]) -> types.SandboxJoinGroupAnswer:
        """Join a group with an invite code or with an invitation that the phone received."""
        answer: types.SandboxJoinGroupAnswer = self._call("sandbox_join_group", fields)
        return answer

    def sandbox_list_faults(self) -> types.SandboxListFaultsAnswer:
        """List the lasting faults of the account’s phones."""
        answer: types.SandboxListFaultsAnswer = self._call("sandbox_list_faults", {})
        return answer

    def sandbox_create_fault(self, fields: types.SandboxCreateFaultInput) -> types.SandboxCreateFaultAnswer:
        """Start a fault."""
        answer: types.SandboxCreateFaultAnswer = self._call("sandbox_create_fault", fields)
        return answer

    def sandbox_clear_faults(self, **fields: Unpack[types.SandboxClearFaultsInput]) -> types.SandboxClearFaultsAnswer:
        """End the faults of one number, or all."""
        answer: types.SandboxClearFaultsAnswer = self._call("sandbox_clear_faults", fields)
        return answer

    def sandbox_inject_frames(self, **fields: Unpack[types.SandboxInjectFramesInput]) -> types.SandboxInjectFramesAnswer:
        """Put frames of any content on the wire to the linked devices of a phone."""
        answer: types.SandboxInjectFramesAnswer = self._call("sandbox_inject_frames", fields)
        return answer

    def sandbox_get_network(self) -> types.SandboxGetNetworkAnswer:
        """Get the address of the network, its addressing mode and the versions of clients."""
        answer: types.SandboxGetNetworkAnswer = self._call("sandbox_get_network", {})
        return answer

    def sandbox_set_network(self, **fields: Unpack[types.SandboxSetNetworkInput]) -> types.SandboxSetNetworkAnswer:
        """Set the addressing mode of the network and the versions of clients, for every account."""
        answer: types.SandboxSetNetworkAnswer = self._call("sandbox_set_network", fields)
        return answer

    def sandbox_list_changes(self, **fields: Unpack[types.SandboxListChangesInput]) -> types.SandboxListChangesAnswer:
        """List the changes of the account’s phones, groups and faults."""
        answer: types.SandboxListChangesAnswer = self._call("sandbox_list_changes", fields)
        return answer

    def sandbox_list_frames(self, **fields: Unpack[types.SandboxListFramesInput]) -> types.SandboxListFramesAnswer:
        """List the frames that were sent to and from the account’s phones."""
        answer: types.SandboxListFramesAnswer = self._call("sandbox_list_frames", fields)
        return answer
