// What people type for a command that is called otherwise here (data).

/** Other names of commands: they are run as these. */
export const SYNONYMS: Readonly<Record<string, string>> = { ls: 'list', last: 'show', latest: 'show' };

/** Words that name no command, with what to do for them. */
const ANSWERS: [words: string, answer: string][] = [
  [
    'join',
    'A seat that somebody has invited you to is taken in a browser, by the link of the invitation. To invite: council invite ID',
  ],
  [
    'resume',
    'A council that was interrupted goes on with: council run --resume. A task: council task resume ID',
  ],
  [
    'pause',
    'A council waits by itself when council run is interrupted (Ctrl-C). A task: council task pause ID',
  ],
  [
    'config configure settings set',
    'Settings stand in COUNCIL.md, which council init writes into a folder. What works with them: council doctor',
  ],
  [
    'reopen',
    'An archived council stays as it is. Ask its table further: council ask --after last "QUESTION". Put its question to another table: council rerun last',
  ],
  ['stop end close abort kill', 'End a council before its time with: council cancel --why "REASON"'],
  ['vote', 'A vote is a line of an answer, such as position: P2. Answer with: council respond ID'],
  ['answer reply contribute', 'Answer as somebody at the table with: council respond ID'],
  [
    'new create question debate convene',
    'Ask with: council ask "QUESTION". For a debate to the end: council run "QUESTION"',
  ],
  [
    'delete remove rm',
    'End a council with: council cancel --why "REASON". Take an agent away with: council agents remove ID. Archives are files in conseils/: council list',
  ],
  ['add', 'Add an agent or a person with: council agents add ID'],
  ['members participants seats models personas', 'Who can sit at a table: council agents'],
  ['login auth', 'Each agent program has its own login. Which of them work: council doctor --probe'],
  ['review', 'Ask for a review of a change with: council run "Is it right?" --diff --mode review'],
];

/** What to do for a word that names no command; undefined where that is not known. */
export const findAnswer = (word: string): string | undefined =>
  ANSWERS.find(([words]) => words.split(' ').includes(word))?.[1];
