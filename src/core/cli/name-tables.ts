// Alternative words for commands, actions and options (data).

/** Alternative names of commands, replaced literally. `alone`: used if no word follows. */
export const SYNONYMS: [words: string, command: string, alone?: string][] = [
  ['ls', 'list'],
  ['ps jobs queue', 'status'],
  ['last latest result results decision summary report cat print', 'show'],
  ['agent', 'agents'],
  ['personas', 'agents personas'],
  ['mode', 'modes'],
  ['server', 'serve'],
  ['web ui gui browser', 'open'],
  ['usage stats', 'cost'],
  ['grep find', 'search'],
  ['redo restart again', 'rerun'],
  ['question opinion second-opinion', 'ask'],
  ['debate', 'run'],
  ['synthesis synthesize summarize', 'ask --synthesis', 'continue synthesis'],
  ['followup follow-up', 'ask --after last'],
  // A following word is the name of a council, not a question.
  ['resume', 'ask --resume --name', 'ask --resume'],
];

/** Alternative names of actions, such as `delete` in council agents delete. */
export const ACTION_SYNONYMS: Readonly<Record<string, string>> = {
  ls: 'list',
  delete: 'remove',
  rm: 'remove',
  new: 'add',
  create: 'add',
  get: 'show',
  change: 'edit',
};

/** Actions that do not exist, with what to do instead. */
export const ACTION_ANSWERS: [command: string, actions: string, answer: string][] = [
  [
    'agents',
    'rename mv move',
    'The name that is shown: council agents edit ID --title "NAME". The id is the name of the file, agents/ID.md, and `name:` in it',
  ],
  [
    'agents',
    'disable enable off on',
    'Who sits is named for each council: council ask "QUESTION" --agents claude,codex. For good: council agents remove ID',
  ],
  ['agents', 'test probe ping try', 'Whether each of them answers: council doctor --probe'],
  ['agents', 'trust allow', 'What may run here: council trust'],
];

/** Alternative names of options: replaced by the first of these that the command has. */
export const OPTION_SYNONYMS: [options: string, meant: string[]][] = [
  ['q silent no-stream', ['--quiet']],
  ['y', ['--yes']],
  ['j', ['--json']],
  ['f', ['--file', '--follow', '--format']],
  ['i input context attach attachment files', ['--file']],
  ['o out outfile', ['--output']],
  ['n count', ['--limit', '--last']],
  ['a agent seat seats participants members', ['--agents']],
  ['c continue', ['--after last']],
  ['m message reason', ['--why']],
  ['language locale', ['--lang']],
  ['plan preview estimate', ['--dry-run']],
  ['time-limit max-time deadline', ['--timeout']],
];

/** Options of other tools, for any command, with advice. */
export const OPTIONS: [options: string, answer: string][] = [
  ['model models m cheap fast', 'A model is named after its program: --agents claude:opus,codex'],
  ['judge chair chairman moderator', 'Who writes the synthesis: --coordinator ID'],
  ['human self', 'Take a seat yourself: council ask --me'],
  ['rounds max-rounds', 'How often they challenge and answer each other: council run --repeat 2'],
  ['budget max-cost cost', 'The most US$ to use up: --budget-usd 1'],
  [
    'html md markdown adr svg o out output save',
    'What was decided goes into a file, in the form of its name, with: council export last --output page.html',
  ],
  ['pdf', 'A browser prints the page as PDF: council export last --output page.html'],
  ['title', 'A name of small letters and hyphens: --name friday-tea'],
  [
    'background detach d',
    'Open it with: council start "QUESTION". What plays it in the background: council heartbeat',
  ],
  ['color no-color colour', 'NO_COLOR=1 before the command turns colours off, FORCE_COLOR=1 on.'],
  ['fix', 'Doctor changes nothing: each of its findings names the command that fixes it.'],
  ['verbose debug v', 'All that an agent has printed: council logs AGENT.'],
  ['read-only', 'Agents change no file in a council, and read none of yours unless you say --read project'],
  [
    'persona personas roles role as',
    'A persona is named after its program: --agents claude@skeptic,codex@security. See: council agents personas',
  ],
  [
    'show-prompt plan estimate dry-run',
    'What would be asked, and what it may cost: council ask --dry-run "QUESTION"',
  ],
  ['list ls', 'Who can sit at a table: council agents. What was asked before: council list'],
  ['p prompt question', 'A question needs no option: council ask "QUESTION"'],
  ['command cmd exec', 'A program of your own stands after --: council agents add ID -- my-program'],
  ['vote', 'Choices to decide between: --option A --option B. All answers put in order: --mode rank'],
  ['a all full long', 'Nothing is left out here. Leave this option out.'],
  [
    'limit n',
    'A list is cut like any other: council list | head -20. Fewer results: council search WORDS --limit 5',
  ],
  [
    'samples times runs copies',
    'Several answers of one program are several seats: --agents claude,claude,claude',
  ],
  [
    'format output-format',
    'One JSON document on stdout: --json. What was decided as a page: council export last --format html --output page.html',
  ],
  [
    'system system-prompt instructions',
    'House rules for everybody stand in COUNCIL.md. A part to play: --agents claude@skeptic',
  ],
  ['last latest newest', 'The newest one is called last: council show last, council export last'],
  [
    'web url browse browser',
    'Pages in the browser: council open last. Council fetches none: curl -s URL | council ask "QUESTION"',
  ],
  ['f follow w watch', 'What happens is followed live with: council watch'],
  ['staged cached', 'What is staged goes along as: git diff --staged | council ask "QUESTION"'],
  ['agent participant', 'What one agent has said: council logs AGENT'],
  [
    'language locale lang',
    'The language stands in COUNCIL.md, as lang: fr. Of one council: council ask --lang fr "QUESTION"',
  ],
];

/** Words that are no command, with advice. */
export const ANSWERS: [words: string, answer: string][] = [
  [
    'join',
    'A seat that somebody has invited you to is taken in a browser, by the link of the invitation. To invite: council invite ID',
  ],
  [
    'pause',
    'A council waits by itself when council run is interrupted (Ctrl-C). A task: council task pause ID',
  ],
  [
    'config configure settings set',
    'Settings are lines of COUNCIL.md, such as lang: fr or timeout: 30m; council init writes it. Whether they work: council doctor',
  ],
  [
    'reopen',
    'An archived council stays as it is. Ask its table further: council ask --after last "QUESTION". Put its question to another table: council rerun last',
  ],
  ['stop end close abort kill', 'End a council before its time with: council cancel'],
  ['vote', 'A vote is a line of an answer, such as position: P2. Answer with: council respond ID'],
  [
    'answer reply contribute chat talk',
    'Ask further with: council ask --after last "QUESTION". Answer as somebody at the table with: council respond ID',
  ],
  ['new create convene', 'Ask with: council ask "QUESTION". For a debate to the end: council run "QUESTION"'],
  [
    'delete remove rm',
    'End a council with: council cancel. Take an agent away with: council agents remove ID. An archive is a file in conseils/, to be deleted like any other: council list',
  ],
  ['edit modify', 'Change an agent with: council agents edit ID. Settings and house rules are in COUNCIL.md'],
  [
    'archive answers',
    'What was decided last: council show. All archives: council list, and one of them: council show ID',
  ],
  [
    'clean reset clear',
    'An open council ends with: council cancel. Archives are files in conseils/. What council install wrote: council uninstall',
  ],
  ['verify validate', 'Whether all archives are as they were recorded: council doctor'],
  ['add', 'Add an agent or a person with: council agents add ID'],
  ['members participants seats', 'Who can sit at a table: council agents'],
  [
    'models model',
    'A model is named after its program, as that program calls it: council ask "QUESTION" --agents claude:opus,ollama:llama3.2. Programs that are here: council agents',
  ],
  [
    'persona roles',
    'Parts that a model can play: council agents personas. One is seated as claude@skeptic: council ask "QUESTION" --agents claude@skeptic,codex',
  ],
  [
    'dissent minority',
    'Who disagreed is printed at the end, and is in the archive: council show. Which claims were challenged: council ledger',
  ],
  [
    'diff compare',
    'One question to another table, both outcomes side by side: council rerun last --agents claude,gemini. Two archives are two files: git diff --no-index conseils/A.md conseils/B.md',
  ],
  ['man manual docs doc tutorial guide', 'All commands: council help all. To watch one debate: council demo'],
  ['rank', 'The answers of all are ranked by all with: council run "QUESTION" --mode rank'],
  [
    'share publish html page copy link save download',
    'An archive as a page of one file, which can be sent: council export last --output page.html',
  ],
  [
    'setup',
    'Prepare this folder: council init. What works here: council doctor. For agents that speak MCP: claude mcp add council -- council mcp',
  ],
  [
    'tell message msg dm',
    'A message to an agent or a person: council send ID "TEXT". Something for the whole table: council continue --note "TEXT"',
  ],
  [
    'implement build fix do',
    'A council decides and changes no file. Agents do work by: council task run "WHAT TO DO"',
  ],
  [
    'lang language locale',
    'The language stands in COUNCIL.md, as lang: fr. Of one council: council ask --lang fr "QUESTION"',
  ],
  ['me', 'Take a seat yourself: council ask --me "QUESTION"'],
  [
    'update upgrade',
    'In the clone that it was installed from: git pull && npm install -g "git+file://$PWD". The version here: council version',
  ],
  [
    'undo revert rollback',
    'Every revision of an open council is kept. List them with: council history --name NAME. Go back to one with: council restore',
  ],
  ['login auth', 'Each agent program has its own login. Which of them work: council doctor --probe'],
];
