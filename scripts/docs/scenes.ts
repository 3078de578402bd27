// What stands in a folder before a document's commands are run there.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FEATURES } from '../../src/features.ts';
import { openApprovalDesk } from '../../src/team/ports.ts';
import { layOutProject } from '../../src/core/store/local/project.ts';
import { hashBoundLaunch } from '../../src/team/tasks/approvals.ts';
import type { Sandbox } from './sandbox.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const TOPIC = 'Where should the job queue live?';

function write({ root }: Sandbox, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The debate of `council demo`, in a project that its owner has just made. */
async function queue(scene: Sandbox): Promise<void> {
  await scene.shell('council init --no-detect');
  cpSync(join(REPOSITORY, 'templates', 'demo'), scene.root, { recursive: true });
  const agents = join(scene.root, 'agents');
  for (const name of readdirSync(agents)) {
    const path = join(agents, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"${NODE}"', 'node').replace(/, "?\d+"?\]/, ']'));
  }
}

/** A council of people: each line is one contribution, given when its phase is open. */
async function people(scene: Sandbox, ids: string, said: [id: string, text: string][]): Promise<void> {
  await scene.shell(`council init --no-detect; for id in ${ids.replaceAll(',', ' ')}; do council agents add $id --runner human; done`);
  await scene.shell(`council start "${TOPIC}" --agents ${ids} --coordinator none`);
  for (const [id, text] of said) {
    write(scene, 'said.md', text);
    await scene.shell(`council respond ${id} --file said.md && council tick`);
  }
}

const FIRST_ANSWERS: [string, string][] = [
  ['ada', 'position: Use Redis\n\nLoad will grow tenfold.\n\nRedis is the fastest of the three.\n'],
  ['ben', 'position: Use PostgreSQL\n\nIt is backed up already.\n'],
];
const CHALLENGES: [string, string][] = [
  ['ada', 'vote: P2\n\n> It is backed up already.\n\nOnce a night only.\n'],
  ['ben', 'vote: P1\n\n> Load will grow tenfold.\n\nTo 7 jobs a second.\n\n> Redis is the fastest of the three.\n\nNobody asked for speed.\n'],
];

const COUNTS = `import { readFileSync } from 'node:fs';
const words = readFileSync('notes.md', 'utf8').split(/\\s+/).filter(Boolean).length;
console.log(\`notes.md has \${words} words.\`);
`;
const SUMS_UP = `let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const words = /has (\\d+) words/.exec(prompt)?.[1] ?? 'no';
console.log(\`## Summary\\n\\nThe notes ask for a limit to retries, in \${words} words.\`);
`;
const SAYS = `let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const name = process.argv[2];
const synthesis = \`### Decision
The licence is checked before the release, and the finding goes into a note.
### Next actions
- reader: Say what the first line of LICENSE is, and how many lines there are
- Write the note for the release out of #REF:T1:S
  - needs: text_gen
  - after: T1\`;
console.log(name === 'clerk' ? synthesis : 'position: Check it\\nagreed: true\\n\\nNobody has looked at LICENSE for a while.'.replace(/^/, '---\\n').replace('true\\n', 'true\\n---\\n'));
`;
const READS = `import { readFileSync } from 'node:fs';
const lines = readFileSync('LICENSE', 'utf8').trimEnd().split('\\n');
console.log(\`M2|W1>O1|U|T1|P1|R|-|0|S1|-|progress=50%\`);
console.log(\`The first line is "\${lines[0]}". LICENSE has \${lines.length} lines.\`);
`;
const REPORTS = `let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const [, first, count] = /first line is "(.*)".*has (\\d+) lines/.exec(prompt) ?? [];
console.log(\`## Results\\n\\nReady for the release: \${first}, complete in \${count} lines.\\n\\n## Next Actions\\n\\n- [ ] Look at it again next year\`);
`;
const TASK_PLAN = `# Look at the notes

- T1: Count the words of notes.md
  - needs: file_ops
- T2: Sum up what #REF:T1:S says about the notes
  - needs: summarize
  - after: T1
  - budget: 500
`;

const QUEUE = ['export async function run(job) {', '  await chargeOnce(job);', '  log(job.id);', '}'];
const RETRIES = ['  for (let tries = 0; tries < 3; tries++)', '    if (await charge(job)) break;'];
const REVIEWS = `let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const twice = \`### major, correctness: the customer can be charged twice
queue.js:2-3
> if (await charge(job)) break;
Fails when: the first call times out after charging.
Fix: pass job.id as the idempotency key.
\`;
const invented = \`
### blocker, data-loss: jobs are lost
queue.js:7
> jobs.delete(job.id);
Fails when: the process ends.
\`;
const id = /^### (F\\d+) major/m.exec(prompt)?.[1];
const said = {
  ada: [twice, id + ': confirm'],
  ben: ['Nothing found.\\nLooked at: control flow.', id + ': confirm\\nNothing in charge() tells a retry from a new job.'],
  cleo: ['### note, maintainability: 3 has no name\\nqueue.js:2\\n> tries < 3; tries++\\nFix: name it.\\n' + invented, id + ': reject\\nNobody times out here.'],
};
console.log(said[process.argv[2]][prompt.includes('Phase: CHALLENGE') ? 1 : 0]);
`;

/** By name: what prepares the folder. */
export const scenes: Record<string, (scene: Sandbox) => Promise<void>> = {
  queue,
  /** A council of two people that has begun. */
  seated: (scene) => people(scene, 'ada,ben', []),
  /** Two workers that are small programs, and a plan for them. */
  tasks: async (scene) => {
    await scene.shell('council init --no-detect');
    write(scene, 'notes.md', 'Retries need a limit. A job that fails for ever blocks the queue.\n');
    write(scene, 'count.mjs', COUNTS);
    write(scene, 'sum-up.mjs', SUMS_UP);
    const worker = (name: string, program: string, can: string): void =>
      write(scene, `agents/${name}.md`, `---\nname: ${name}\ncouncil:\n  command: [node, ${program}]\n  capabilities: [${can}]\n---\n`);
    worker('counter', 'count.mjs', 'file_ops, data_analysis');
    worker('writer', 'sum-up.mjs', 'summarize, text_gen');
    write(scene, 'PLAN.md', TASK_PLAN);
  },
  /** A council whose decision is work, on a file of this repository, and the workers who do it. */
  decided: async (scene) => {
    await scene.shell('council init --no-detect');
    cpSync(join(REPOSITORY, 'LICENSE'), join(scene.root, 'LICENSE'));
    write(scene, 'say.mjs', SAYS);
    write(scene, 'read.mjs', READS);
    write(scene, 'report.mjs', REPORTS);
    for (const name of ['ada', 'ben', 'clerk'])
      write(scene, `agents/${name}.md`, `---\nname: ${name}\ncouncil:\n  role: leader\n  command: [node, say.mjs, ${name}]\n---\n`);
    write(scene, 'agents/reader.md', '---\nname: reader\ncouncil:\n  command: [node, read.mjs]\n  capabilities: [file_ops]\n---\n');
    write(scene, 'agents/writer.md', '---\nname: writer\ncouncil:\n  command: [node, report.mjs]\n  capabilities: [text_gen]\n---\n');
  },
  /** A repository with a change on a branch, and three reviewers that follow a script. */
  review: async (scene) => {
    write(scene, 'queue.js', `${QUEUE.join('\n')}\n`);
    await scene.shell('git init -q -b main; git add queue.js; git -c user.name=x -c user.email=x@example.org commit -qm one; git checkout -qb retry');
    write(scene, 'queue.js', `${[QUEUE[0], ...RETRIES, ...QUEUE.slice(2)].join('\n')}\n`);
    await scene.shell('git add queue.js; git -c user.name=x -c user.email=x@example.org commit -qm two; council init --no-detect');
    write(scene, 'review.mjs', REVIEWS);
    for (const name of ['ada', 'ben', 'cleo'])
      write(scene, `agents/${name}.md`, `---\nname: ${name}\ncouncil:\n  command: [node, review.mjs, ${name}]\n---\n`);
  },
  /** The record of an eval by two small models. */
  eval: async ({ root }) => cpSync(join(REPOSITORY, 'test', 'fixtures', 'eval', 'easy'), join(root, 'easy'), { recursive: true }),
  /** A folder with nothing in it. */
  empty: async () => {},
  /** A project with an agent in it, before anybody has said that its programs may run. */
  clone: async (scene) => {
    write(scene, 'agents/henry.md', '---\nname: henry\ncouncil:\n  command: [node, speak.mjs, henry]\n---\n\nYou are Henry.\n');
    write(scene, 'COUNCIL.md', '---\nlang: en\n---\n');
  },
  /** Whose owner has to mend something: a private folder that is open to all, and a program that does not start. */
  doctor: async (scene) => {
    await scene.shell('git init -q; council init --no-detect');
    scene.program('claude', 'echo "2.1.0 (Claude Code)"');
    scene.program('codex', 'echo "cannot read its settings" >&2; exit 1');
    await scene.shell(`council agents add claude --runner claude; council start "${TOPIC}" --agents claude`);
    await scene.shell('mkdir -p -m 755 $XDG_STATE_HOME/council');
  },
  /** An open council of two people. */
  edit: (scene) => people(scene, 'ada,ben', []),
  /** Two agents that can write to each other. */
  mail: (scene) => scene.shell('council init --no-detect; for id in ada ben; do council agents add $id --runner human; done').then(() => {}),
  /** A project without agents, with the library beside it. */
  mailbox: async (scene) => {
    await scene.shell('council init --no-detect');
    library(scene);
  },
  /** A repository in which two agents work. */
  shared: async (scene) => {
    await scene.shell('git init -q; council init --no-detect; for id in ada ben; do council agents add $id --runner human; done');
    write(scene, 'src/queue/retry.ts', '');
    await scene.shell('git add src');
  },
  /** Two agents have asked what they may do. */
  approval: async (scene) => {
    await scene.shell('council init --no-detect');
    const desk = openApprovalDesk({ note: console.error, env: {}, features: FEATURES }, { project: layOutProject(scene.root) }, { approvalTimeout: 3_600_000 });
    for (const [agent, instruction] of [['deployer', 'Put version 1.4 on the staging server.\nThen run the smoke tests.'], ['cleaner', 'Delete the branches that are merged.']] as const) {
      const setting = { program: null, env: [], cwd: '/srv/shop', isolate: 'none', readOnly: true, tools: [], persona: '' };
      const bound = { agent, command: ['node', `${agent}.mjs`], ...setting, instruction, files: [] };
      await desk.mayRun({ kind: 'sub_agent', operation: `launch ${agent}`, details: bound, risk: 'high', requester: agent, hash: hashBoundLaunch(bound), task: null });
    }
  },
  /** Everybody has answered in blind COLLECT. */
  sealed: async (scene) => {
    await people(scene, 'sage,henry', []);
    for (const id of ['sage', 'henry']) await scene.shell(`echo "position: Use Redis" | council respond ${id}`);
  },
  /** A council that tells a command what happens. */
  notified: async (scene) => {
    await scene.shell('council init --no-detect; council agents add ana --runner human');
    write(scene, 'COUNCIL.md', "---\nnotify: [sh, -c, 'cat >> notices.jsonl; echo >> notices.jsonl']\n---\n");
  },
  /** In CHALLENGE, with the library beside it. */
  challenge: async (scene) => {
    await people(scene, 'ada,ben', [...FIRST_ANSWERS, CHALLENGES[0]!]);
    library(scene);
  },
  /** In RESOLVE, with two challenges against ada and an answer to one of them. */
  challenged: async (scene) => {
    await people(scene, 'ada,ben', [...FIRST_ANSWERS, ...CHALLENGES]);
    write(scene, 'answer.md', 'vote: P1\nconfidence: 0.8\n\nc2 conceded: 7 jobs a second are few.\n');
  },
  /** An archived debate, with the library beside it. */
  archived: async (scene) => {
    await queue(scene);
    await scene.shell('council run --quiet --brief brief.md --agents henry,sage,nova,echo --coordinator maman');
    library(scene);
  },
  /** A person's turn in blind COLLECT. */
  ana: async (scene) => {
    await people(scene, 'ana,ben', []);
    write(scene, 'answer.md', 'position: Use PostgreSQL\nconfidence: 0.7\n\nIt is backed up every night.\n');
  },
  /** A project that is to be kept in a database. */
  /** A document with faults, for the offline panel. */
  notes: async (scene) => write(scene, 'notes.md', NOTES),
};

/** So that `import … from 'council'` finds this repository. */
function library({ root }: Sandbox): void {
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(REPOSITORY, join(root, 'node_modules', 'council'));
}

const NOTES = `# RFC: Move the shop to new servers

Author: Mira, for the operations team. Start: 2026-09-31.

The shop runs on two old servers. They answer 120 requests a second, that is 7,000 a minute. Moving to three new ones
costs 3 × 80 = 240 € a month. There are two risks:

- the data is copied while people order
- the certificates expire during the move
- nobody knows the old firewall

Logs are kept for 30 days. Everything will be much faster. See [the plan](#plan).
`;
