// Forms that read as translated, and the words to use instead. The test beside it holds sources, texts and documents to this list;
// docs/glossary.md has the same advice in words. A pattern is narrow: what it matches is wrong in every context.

export interface Form {
  /** The form, as a failure names it. */
  avoid: string
  instead: string
  /** A space in the pattern also matches a line break within a comment or a paragraph. */
  pattern: RegExp
  /** Each must match. */
  wrong: readonly string[]
  /** None may match: what to write instead, and correct English that looks similar. */
  right: readonly string[]
}

const COMPONENT = '(?:network|store|phone|database|server|proxy|library|node|gateway|collector|host|resolver)'

export const FORMS: readonly Form[] = [
  {
    avoid: '"own" without a possessor',
    instead: 'your profile, its own account, the account itself, a message that you sent',
    pattern: /\b(?:the|an|no|another|other|between|for) own [a-z]/gi,
    wrong: ['Read the own profile', 'only an own text can be edited', 'a copy for own devices'],
    right: [
      'Read your profile',
      'each part has its own texts',
      'a role that must own the database',
      'own: 3',
    ],
  },
  {
    avoid: '"own …" at the start of a sentence',
    instead: 'messages of the account, messages that you sent',
    pattern: /(?<=[.:;] |\/\/ |\* |^- |(?:test|describe)\(')own [a-z]+ [a-z]/gim,
    wrong: ['// Own messages have no sender.', "test('own changes are applied', "],
    right: [
      '// Its own messages have no sender.',
      "test('changes of this page are applied', ",
      'own - least <= 3',
    ],
  },
  {
    avoid: '"is no …"',
    instead: 'is not a …',
    pattern:
      /(?<!\bthere )(?<!\bwhere )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|one|other)\b)[a-z]/gi,
    wrong: [
      'The body is no JSON',
      'a member who is no admin',
      'these are no events',
      'one reading is no rate',
    ],
    right: [
      'There is no such chat.',
      'it is no longer valid',
      'it is no more than a hint',
      'the answer is no, and',
    ],
  },
  {
    avoid: '"that is none", "is not one"',
    instead: 'is not a phone number, is not valid',
    pattern: /\b(?:that|which|who) (?:is|are) none\b|\bis not one(?=[',:;.)]|$)/gim,
    wrong: [
      'with a number that is none',
      "400 when the number is not one'",
      'a group that is not one: the rest',
    ],
    right: ['null if there is none', 'it is not one of the chats', 'if the chat is not one person'],
  },
  {
    avoid: '"whoever"',
    instead: 'any client, the caller, the operator',
    pattern: /\bwhoever\b/gi,
    wrong: ['whoever holds the key may sign'],
    right: ['the client that holds the key may sign'],
  },
  {
    avoid: '"nobody"',
    instead: 'no one, no client',
    // Alone it is the name of a privacy setting of the network.
    pattern: /\bnobody (?=[a-z])|(?<=[a-z] )nobody\b/gi,
    wrong: ['Nobody is waiting for approval.', 'it is seen by nobody'],
    right: ['No one is waiting for approval.', "none: 'Nobody'"],
  },
  {
    avoid: '"everybody", "somebody", "anybody"',
    instead: 'everyone, all clients; someone; anyone',
    // Also a word of the texts that tests send.
    pattern: /(?<!['"]|DNS:)\b(?:every|some|any)body\b(?![?-])/gi,
    wrong: ['by default everybody in the address book', 'not a message to anybody'],
    right: ['by default everyone in the address book', "message: 'anybody?'"],
  },
  {
    avoid: 'the "word" of a component',
    instead: 'answer, status, report',
    pattern:
      /\bits (?:last |late )?word\b|\b(?:network|server|owner|node|phone)['’]s (?:\w+ )?word\b|\bthe last word\b/gi,
    wrong: ["the network's word is final", 'its word counts', 'The last word is still in flight'],
    right: ["the network's answer is final", 'the last words of a text'],
  },
  {
    avoid: '"has its say", "without a word"',
    instead: 'decides; without notice',
    pattern: /\b(?:has|have|had) (?:its|their|his) say\b|\bwithout a word\b/gi,
    wrong: ['then the store has its say', 'it ends without a word to its clients'],
    right: ['then the store decides', 'it ends without notice'],
  },
  {
    avoid: '"what waits", "what is on its way"',
    instead: 'pending sends, waiting deliveries',
    pattern: /\bwhat (?:waits|still waits|is on (?:its|the) way)\b/gi,
    wrong: ['It drains what waits.', 'what is on its way arrives'],
    right: ['It drains the pending sends.', 'a call on its way to the node'],
  },
  {
    avoid: '"can be had", "cannot be had"',
    instead: 'is available, is not available',
    pattern: /\b(?:can|cannot|could|could not) be had\b/gi,
    wrong: ['a preview that cannot be had in time'],
    right: ['a preview that is not available in time', 'it would be hard to say'],
  },
  {
    avoid: '"is gone" of a process',
    instead: 'stopped responding, has ended, disconnected',
    pattern:
      /\b(?:node|standby|process|server|client|store|network|receiver|gateway)s?(?: that)? (?:is|are|was|were) gone\b/gi,
    wrong: ['cluster: a node is gone', 'a receiver that is gone', 'until the server is gone'],
    right: ['cluster: a node stopped responding', 'the group is gone from the list'],
  },
  {
    avoid: '", too" at the end',
    instead: 'also …, … as well',
    pattern: /, too(?=[.;:'"`)]| \*\/|$)/gim,
    wrong: [
      'Messages of the history, too',
      'The phone shows the status, too.',
      'cards and stickers, too. */',
    ],
    right: [
      'Include messages from the history',
      'the phone shows the status as well',
      'empty, too long or unknown',
    ],
  },
  {
    avoid: '"of the history"',
    instead: 'from the history',
    pattern: /\b(?:messages?|files|delivery) of the history\b/gi,
    wrong: ['Deliver messages of the history'],
    right: ['Deliver messages from the history', 'the parts of the history'],
  },
  {
    avoid: '"of the last … can be …"',
    instead: 'for 15 minutes after sending',
    pattern: /\bof the last \d+ (?:seconds|minutes|hours|days) (?:can|may)\b/gi,
    wrong: ['Only a caption of the last 15 minutes can be edited.'],
    right: ['You can edit a caption for 15 minutes after sending it.', 'messages of the last 24 hours'],
  },
  {
    avoid: '"as far as"',
    instead: 'if, where, the part that, to the extent that',
    pattern: /\bas far as (?!\d)/gi,
    wrong: ['the picture, as far as the phone may see it'],
    right: ['the picture, if the phone may see it'],
  },
  {
    avoid: 'a component that "looks at" something, "a look"',
    instead: 'reads, checks, polls',
    pattern:
      /\b(?:webhooks?|filters?|tokenizer|library|tests|thread|clock|process|worker|it) looks? at\b|\b(?:after|with|without) a look\b|\b(?:next|another|two|no|its own) looks?(?= at\b|[.,;:']| \*\/)|\b(?:is|are|were) looked at\b/gi,
    wrong: [
      'What the filters of webhooks look at',
      'after a look at the stored version',
      'each byte is looked at once',
    ],
    right: [
      'What the filters read',
      'Look at `/readyz` first',
      'the event that the reader looks at',
      'it looks like a number',
    ],
  },
  {
    avoid: 'a component that "is asked"',
    instead: 'is queried, is requested from, a request is sent to',
    pattern: new RegExp(
      `\\b${COMPONENT}s? (?:is|was|are|were|cannot be|can be|must be|has been|will be) (?:not |never )?asked\\b`,
      'gi',
    ),
    wrong: ['The network is asked at once', 'before the proxy is asked', 'the phone cannot be asked now'],
    right: [
      'The gateway queries the network at once',
      'the reader is asked for a name',
      'the node asks for a lock',
    ],
  },
  {
    avoid: '"handed back", "held back" of messages',
    instead: 'requeued; deferred',
    pattern: /\b(?:handed|held) back\b/gi,
    wrong: ['a message that is handed back is due at once', 'restricted: held back for five minutes'],
    right: ['a requeued message is due at once', 'it hands over its instances'],
  },
  {
    avoid: '"no news"',
    instead: 'not new, already known',
    pattern: /\bno news\b/gi,
    wrong: ['the settings at pairing are no news'],
    right: ['the settings at pairing are already known'],
  },
  {
    avoid: '"so that" before a result',
    instead: 'so',
    pattern:
      /\b(?:was|were|has|have|had|is|are) (?:\w+ )?\w+, so that (?:it|they) can(?:not| no)\b|, so that the (?:\w+ ){1,3}must\b/gi,
    wrong: [
      'The message was deleted, so that it can no longer be changed',
      'the key is set, so that the new one must be given',
    ],
    right: [
      'The message was deleted, so it can no longer be changed',
      'It encodes ids, so that they cannot collide',
    ],
  },
  {
    avoid: '"is another one", "another … than"',
    instead: 'differs, is different; a different … than, … other than',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) another one\b|\banother (?:\w+ )?\w+ than\b/gi,
    wrong: ['its key is another one', 'the page has another form than expected'],
    right: ['its key differs', 'the page has a different form than expected', 'there is another one'],
  },
  {
    avoid: '"so many" for a given number',
    instead: 'this many',
    pattern:
      /(?:\bwhen|\bafter|\bmost|\bwith|\bof|\bexactly|\bfor|\btried|\breads|\bchat|,) so many\b|\* so many\b|\bAccepting so many\b/gi,
    wrong: [
      'Resolves when so many have come',
      '/** So many instances are in a group */',
      'at most so many lanes',
    ],
    right: ['Resolves when this many have come', 'a number of JSON does not hold so many digits'],
  },
  {
    avoid: '"for so long", "so often" for a given time',
    instead: 'for this long, this often',
    pattern: /\b(?:for so long|so often)(?=[.,;:]| \*\/)/gi,
    wrong: ['Phones show a status for so long. */', 'Uses are sent to the other nodes so often.'],
    right: ['Phones show a status for this long. */', 'it was unavailable for so long that it was removed'],
  },
  {
    avoid: 'a client that "breaks off"',
    instead: 'disconnects, closes the connection, is aborted',
    pattern: /\bbr(?:eak|eaks|oke|oken|eaking)(?: an? \w+)? off\b/gi,
    wrong: ['a client that breaks off an upload', 'an upload that breaks off early', '3 requests broken off'],
    right: ['a client that aborts an upload', 'the connection breaks', 'a connection that is cut off'],
  },
  {
    avoid: '"its time is over"',
    instead: 'has expired, at the time limit',
    pattern: /\b(?:its|their|the|whose|that) time is over\b/gi,
    wrong: ['it fails queued messages whose time is over'],
    right: ['it fails queued messages that have expired', 'the call is over'],
  },
  {
    avoid: 'a component that "is away"',
    instead: 'is unavailable, does not answer',
    pattern: /\b(?:store|database|network|server|node|gateway)s?(?: that)? (?:is|are|was|were) away\b/gi,
    wrong: ['while the database is away for a few seconds'],
    right: ['while the database is unavailable for a few seconds', 'a person who is away'],
  },
  {
    avoid: '"is through", "in work"',
    instead: 'is done, is processed; in progress',
    pattern: /\b(?:is|are|was|were) through(?= when\b|[.,;:']| \*\/|$)|\bin work\b/gim,
    wrong: ['those before it are through.', 'locks of messages in work'],
    right: ['those before it are processed.', 'locks of messages in progress', 'its way is through a proxy'],
  },
  {
    avoid: '"believes to …"',
    instead: 'believes that it …',
    pattern: /\bbelieves? to (?:be |have )?[a-z]/gi,
    wrong: ['the instances that it believes to serve'],
    right: ['the instances that it believes it serves'],
  },
  {
    avoid: '"stopped to …" for an end',
    instead: 'stopped …ing',
    pattern: /\bstop(?:s|ped)? to (?:drain|send|serve|renew|retry|listen|follow|poll|accept|receive)\b/gi,
    wrong: ['a node has begun or stopped to drain'],
    right: ['a node has stopped draining', 'the server stops to be updated'],
  },
  {
    avoid: '"says nothing of"',
    instead: 'says nothing about',
    pattern: /\b(?:says?|said|tells?) nothing of\b/gi,
    wrong: ["their ticks say nothing of the gateway's device"],
    right: ["their ticks say nothing about the gateway's device", 'it knows nothing of it'],
  },
  {
    avoid: '"allows to …"',
    instead: 'allows you to …, lets …, can …',
    pattern: /\b(?:allow|enable|permit)s? to (?!and\b)[a-z]/gi,
    wrong: ['This option allows to skip the check'],
    right: ['This option allows you to skip the check', 'the hosts that it allows'],
  },
  {
    avoid: '"informations", "datas", "feedbacks"',
    instead: 'information, data, feedback',
    pattern: /\b(?:informations|datas|feedbacks|advices)\b/gi,
    wrong: ['further informations'],
    right: ['further information', 'it advises on a key'],
  },
  {
    avoid: '"possibility to"',
    instead: 'can, way to',
    pattern: /\bpossibility to\b/gi,
    wrong: ['there is the possibility to retry'],
    right: ['a retry is possible'],
  },
  {
    avoid: '"resp."',
    instead: 'or, and',
    pattern: /\bresp\.(?= [a-z])/g,
    wrong: ['the sender resp. the recipient'],
    right: ['the sender or the recipient', 'resp.status'],
  },
  {
    avoid: 'the name `place`, which had five meanings',
    instead: '`storeLocation`, `location`, `position`, `ordinal`, `cell`, `reference`, `selection`',
    // The field of an event keeps its name.
    pattern:
      /\b(?:const|let|function|interface|type) [Pp]lace(?:s|Of|sOf)?\b|\b(?:MessagePlace|ListPlace|FilePlaces|GroupPlace)\b/g,
    wrong: ['const place = await engine.place()', 'export interface Place {', 'function placeOf(row) {'],
    right: [
      'const storeLocation = await engine.createLocation()',
      'const { name, place } = event',
      'place?: string',
    ],
  },
  {
    avoid: 'the name `asked`',
    instead: '`requested`, `queried`, `called`',
    pattern:
      /\b(?:const|let) \[?asked\b|\b(?:interface|type) Asked\b|\basked(?:DelayMs|Node|People|Type|Group)\b|\baskWell\b/g,
    wrong: ['const asked: string[] = []', 'const [asked, ask] = useState()', 'askedDelayMs: null'],
    right: ['const requested: string[] = []', 'requestedDelayMs: null', 'asked: Generated<number>'],
  },
  {
    avoid: 'the name `look`',
    instead: '`poll`, `read`, `check`, `observe`, `style`',
    pattern: /\b(?:const|let|function) look\b|\bLOOK_MS\b|\bStatusLook\b/g,
    wrong: ['function look(): void {', 'const LOOK_MS = 15'],
    right: ['function poll(): void {', 'const POLL_MS = 15', 'const lookup = new Map()'],
  },
  {
    avoid: 'a name of an earlier glossary',
    instead:
      '`withTimeout`, `classifyCode`, `classifyRefusal`, `requeued`, `deferred`, `targetNode`, `findInstanceById`',
    pattern:
      /\b(?:inTime|sortCode|sortSend|handedBack|heldBack|takingPeer|findLivingInstance|findInstanceEverKnown)\b/g,
    wrong: ['await inTime(sources.queued())', 'refusal: sortSend(code, chat)'],
    right: ['await withTimeout(sources.queued())', 'refusal: classifyRefusal(code, chat)'],
  },
]
