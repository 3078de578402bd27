// The debate that docs/deliberation.md shows: scripted participants, played by the built command line in processes of their own.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'council.js');

const said = (form: string, text: string): string => `---\n${form}\n---\n${text}\n`;

/** What everybody says, round by round. Maman writes the synthesis, and gets the decision wrong. */
const WORDS: Record<string, string[]> = {
  ada: [
    said(
      "position: Buy the vendor's service",
      'Building takes three months.\n\nNobody here runs servers at night.',
    ),
    said('vote: P3\nsame: P2 = P3', '> Four engineers are free until June.\n\nTwo of them leave in March.'),
    said('vote: P3\nsame: P2 = P3', 'Whoever signs the contract, it is the same purchase.'),
  ],
  ben: [
    said(
      'position: Buy it from the vendor',
      '- Buying costs ten thousand a year.\n- The vendor answers within a day.',
    ),
    said(
      'vote: P2\nsame: P2 = P3',
      '> Four engineers are free until June.\n\nThe last system took them nine months.',
    ),
    said('vote: P2', 'c4 rejected: the contract fixes the price for five years.'),
  ],
  cleo: [
    said('position: Build it ourselves', 'Four engineers are free until June.'),
    said('vote: P1', '> The old system has room for a year.\n\nIts disk is nine tenths full today.'),
    said(
      'vote: P1\napprove: P2',
      'c1 rejected: they leave in May, when the work is done.\n\nc2 rejected: that one was three times as large.\n\nI can live with buying.',
    ),
  ],
  dan: [
    said('position: Wait for a year', 'The old system has room for a year.'),
    said('vote: P4', '> Buying costs ten thousand a year.\n\nThat is the price of the first year only.'),
    said('vote: P1', 'c3 conceded: I had not looked at the disk. Then the engineers should begin.'),
  ],
  maman: [said('decision: P1', 'The council builds it itself. There is no dissent.')],
};
const SEATS = ['ada', 'ben', 'cleo', 'dan'];

/** Prints what its file says for this round, as a participant. */
const SPEAKER = `import { readFileSync } from 'node:fs';
const { COUNCIL_PARTICIPANT: id, COUNCIL_TOUR: round } = process.env;
process.stdout.write(readFileSync(new URL(\`./\${id}-\${round}.md\`, import.meta.url)));
`;

/** Plays the debate in a folder of its own, and returns the parts of its archive that the page shows. */
export function debate(): string {
  if (!existsSync(CLI)) throw new Error('dist/ is missing: build first with "npm run build".');
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'council-docs-')));
  try {
    return shown(normalised(played(scratch)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The archive, as it was written. */
function played(scratch: string): string {
  const root = join(scratch, 'project');
  const words = join(scratch, 'words');
  for (const folder of [root, words]) mkdirSync(folder);
  const council = commandsIn(scratch, root);
  council('init', '--no-detect');
  writeFileSync(join(words, 'speak.mjs'), SPEAKER);
  for (const [id, rounds] of Object.entries(WORDS)) {
    const runner = { runner: 'command', command: [process.execPath, join(words, 'speak.mjs')] };
    writeFileSync(
      join(root, 'agents', `${id}.md`),
      `---\nname: ${id}\ncouncil: ${JSON.stringify(runner)}\n---\n`,
    );
    const first = id === 'maman' ? 4 : 1;
    rounds.forEach((text, at) => writeFileSync(join(words, `${id}-${first + at}.md`), text));
  }
  const table = ['--agents', SEATS.join(','), '--coordinator', 'maman'];
  council('start', 'Build or buy?', '--rule', 'majority', '--tie', 'approvals', ...table);
  council('tick', '--until-idle');
  const list = JSON.parse(council('list', '--json')) as { archives: { path: string }[] };
  return readFileSync(join(root, list.archives[0]!.path), 'utf8');
}

/** The command line with nothing of this machine's user around it. */
function commandsIn(scratch: string, root: string): (...args: string[]) => string {
  const homes = ['HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'];
  const env = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    LANG: 'C.UTF-8',
    ...Object.fromEntries(homes.map((name) => [name, join(scratch, name)])),
  };
  return (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`council ${args[0]} ended with ${status}: ${stderr}`);
    return stdout;
  };
}

/** What differs from run to run: times, how long something took, random salts and commitments, and who has which letter. */
const normalised = (archive: string): string =>
  archive
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T12:00:00.000Z')
    .replace(/^(\| Time, [A-Z]+ \|) .+ \|$/gm, '$1 … |')
    .replace(/^In the texts: .*\n\n/gm, '');

/** What was decided, dissent, synthesis, who sat, and the last round; times and machine data are left out. */
function shown(archive: string): string {
  const section = (title: string) => {
    const [, text] = archive.split(`\n## ${title}\n`);
    if (text === undefined) throw new Error(`The archive has no section "${title}".`);
    return `## ${title}\n${text.split('\n## ')[0]!}`.trimEnd();
  };
  const record = ['Decision', 'Dissent', 'Synthesis', 'Who sat'].map(section);
  const lastRound = section('RESOLVE (round 3)');
  const page = [...record, '[…]', lastRound].join('\n\n');
  return `\`\`\`\`markdown\n${page}\n\`\`\`\``;
}
