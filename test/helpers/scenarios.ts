import fs from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Project, Run } from './cli.ts';
import type { Responded, Status } from './documents.ts';
import { addAgent } from './speakers.ts';
import { AWKWARD } from './texts.ts';
import { theArchive } from './tries.ts';

/** A command that changes a council, and what must come of the council however often that command is ended on its way. */
export interface Scenario {
  args: string[];
  input?: string;
  prepare: (project: Project) => Promise<unknown>;
  /** What the archive must hold in the end: participant to text; `ann 2` is what ann said in round 2. */
  said: Record<string, string>;
  /** Who was told "recorded" before the command, by tour; ann and bob in round 1 unless it says otherwise. */
  told?: Record<number, string[]>;
  /** The state file is edited by hand: until the command has worked, every command says so. */
  edited?: true;
  /** What must lie with the late texts in the end. */
  late?: string;
  /** What the same command must say when it is run once more. */
  again: (run: Run, project: Project, at: string) => void | Promise<void>;
  /** What is still to be done before the council can be played to its archive. */
  finish?: string[];
  /** Several programs answer at once: a run may have fewer calls than the one that was counted. */
  varies?: true;
  /** Of these the council holds the whole text or none, whenever the command was killed, however many are one commit. */
  together?: string[];
}

const [FIRST, SECOND, LAST, PRINTED] = [AWKWARD[1]!, AWKWARD[7]!, AWKWARD[10]!, AWKWARD[8]!];

/** Runs a command that must succeed. */
export async function must(project: Project, args: string[], input?: string): Promise<void> {
  const { code, stderr } = await project.council(args, { input });
  if (code !== 0) throw new Error(`"council ${args.join(' ')}" failed: ${stderr}`);
}

/** Opens a council; everybody named in `spoken` has responded, and was told that it is recorded. */
export async function seated(
  project: Project,
  ids: string[],
  spoken: Record<string, string>,
  ...flags: string[]
): Promise<void> {
  for (const id of ids) if (!fs.existsSync(join(project.root, 'agents', `${id}.md`))) addAgent(project, id);
  await must(project, ['start', 'Do we move?', '--mode', 'synthesis', '--agents', ids.join(','), ...flags]);
  for (const [id, text] of Object.entries(spoken)) await must(project, ['respond', id], text);
}

/** A program that answers at once, and without Node. It notes each launch that got a prompt. */
function addInstant(project: Project, id: string, says: string): void {
  fs.writeFileSync(join(project.outside, 'said'), says);
  const script = '[ -n "$(cat)" ] || exit 9; echo x >> ../outside/launches; exec cat ../outside/said';
  fs.writeFileSync(join(project.outside, 'speak.sh'), script);
  addAgent(project, id, { runner: 'command', command: ['/bin/sh', '../outside/speak.sh'] });
}

const recorded: Scenario['again'] = ({ code, json }, _, at) => {
  const { accepted, reason } = json as Responded;
  expect([code, accepted || reason === 'already_responded'], at).toEqual([0, true]);
};
/** A council of people in CHALLENGE: who is named in `spoken` has responded there. */
export async function challenged(project: Project, spoken: Record<string, string>): Promise<void> {
  await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }, '--mode', 'debate');
  await must(project, ['tick']);
  for (const [id, text] of Object.entries(spoken)) await must(project, ['respond', id], text);
}

/** Changes the topic in the state file, as a person would. */
export function editTopic(project: Project): void {
  const path = 'memory/shared/council-active-conversation.md';
  project.write(
    path,
    project.read(path).toString().replace('"topic": "Do we move?"', '"topic": "Do we go?"'),
  );
}

async function topicOf(project: Project): Promise<string> {
  return (await project.council<Status>(['status', '--json'])).json.councils[0]!.topic;
}

const ENOUGH = ['cancel', '--why', 'enough'];
const started: Scenario['again'] = ({ code, json }, _, at) => {
  if (code === 0) expect(json, at).toMatchObject({ name: 'active-conversation', phase: 'COLLECT' });
  else expect(json, at).toMatchObject({ error: { code: 'name_taken' } });
};
const works: Scenario['again'] = ({ code }, _, at) => expect(code, at).toBe(0);

export const SCENARIOS = {
  'respond, blind': {
    args: ['respond', 'cleo', '--json'],
    input: LAST,
    prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }),
    said: { ann: FIRST, bob: SECOND, cleo: LAST },
    again: recorded,
  },
  'respond --replace, blind': {
    args: ['respond', 'bob', '--replace', '--json'],
    input: LAST,
    prepare: (project) => seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }),
    said: { ann: FIRST, bob: LAST },
    again: recorded,
  },
  'respond, open': {
    args: ['respond', 'cleo', '--json'],
    input: LAST,
    prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }, '--open'),
    said: { ann: FIRST, bob: SECOND, cleo: LAST },
    again: recorded,
  },
  'tick that closes and reveals': {
    args: ['tick', '--json'],
    prepare: (project) => seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }),
    said: { ann: FIRST, bob: SECOND },
    again: works,
  },
  'tick that launches': {
    args: ['tick', '--json'],
    async prepare(project) {
      addInstant(project, 'dan', PRINTED);
      await seated(project, ['ann', 'dan'], { ann: FIRST });
    },
    said: { ann: FIRST, dan: PRINTED },
    again: works,
  },
  'tick that launches three, whose leases and answers are committed together': {
    args: ['tick', '--json'],
    async prepare(project) {
      for (const id of ['eve', 'fay', 'gus']) addInstant(project, id, PRINTED);
      await seated(project, ['ann', 'eve', 'fay', 'gus'], { ann: FIRST });
    },
    said: { ann: FIRST, eve: PRINTED, fay: PRINTED, gus: PRINTED },
    again: works,
    varies: true,
    together: ['eve', 'fay', 'gus'],
  },
  'tick that launches three, whose answers are committed together in the open': {
    args: ['tick', '--json'],
    async prepare(project) {
      for (const id of ['eve', 'fay', 'gus']) addInstant(project, id, PRINTED);
      await seated(project, ['ann', 'eve', 'fay', 'gus'], { ann: FIRST }, '--open');
    },
    said: { ann: FIRST, eve: PRINTED, fay: PRINTED, gus: PRINTED },
    again: works,
    varies: true,
    together: ['eve', 'fay', 'gus'],
  },
  'tick that archives': {
    args: ['tick', '--json'],
    async prepare(project) {
      await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND });
      await must(project, ['tick']);
    },
    said: { ann: FIRST, bob: SECOND },
    again: works,
  },
  cancel: {
    args: ['cancel', '--why', 'enough', '--json'],
    prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }),
    said: { ann: FIRST, bob: SECOND },
    again({ code, json }, project, at) {
      // What is in its archive already is no active council any more.
      if (code === 2) expect(json, at).toMatchObject({ error: { code: 'unknown_council' } });
      else expect(code, at).toBe(0);
      expect(theArchive(project, at).meta.status, at).toBe('CANCELLED');
    },
  },
  'restore of a revision without a contribution': {
    args: ['restore', '3', '--json'],
    prepare: (project) =>
      seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND, cleo: LAST }, '--open'),
    said: { ann: FIRST, bob: SECOND },
    late: LAST,
    again: works,
    finish: ['excuse', 'cleo', '--why', 'what was said is taken back'],
  },
  'restore that drops a hand edit': {
    args: ['restore', '--json'],
    async prepare(project) {
      await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }, '--open');
      editTopic(project);
    },
    said: { ann: FIRST, bob: SECOND },
    edited: true,
    async again({ code }, project, at) {
      expect([code, await topicOf(project)], at).toEqual([0, 'Do we move?']);
    },
  },
  adopt: {
    args: ['adopt', '--json'],
    async prepare(project) {
      await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }, '--open');
      editTopic(project);
    },
    said: { ann: FIRST, bob: SECOND },
    edited: true,
    async again({ code, json }, project, at) {
      // Nothing is left to adopt when it was ended after its last step only.
      if (code !== 0) expect(json, at).toMatchObject({ error: { code: 'usage' } });
      expect(await topicOf(project), at).toBe('Do we go?');
    },
  },
  start: {
    args: ['start', 'Do we move?', '--mode', 'synthesis', '--agents', 'ann,bob', '--json'],
    async prepare(project) {
      for (const id of ['ann', 'bob']) addAgent(project, id);
    },
    said: {},
    told: {},
    again: started,
    finish: ENOUGH,
  },
  'start with tokens': {
    args: ['start', 'Move?', '--mode', 'synthesis', '--agents', 'ann,bob', '--identity', 'token', '--json'],
    async prepare(project) {
      for (const id of ['ann', 'bob']) addAgent(project, id);
    },
    said: {},
    told: {},
    again: started,
    finish: ENOUGH,
  },
  'respond in CHALLENGE': {
    args: ['respond', 'bob', '--json'],
    input: LAST,
    prepare: (project) => challenged(project, { ann: PRINTED }),
    said: { ann: FIRST, bob: SECOND, 'ann 2': PRINTED, 'bob 2': LAST },
    told: { 2: ['ann'] },
    again: recorded,
    finish: ENOUGH,
  },
  'tick that closes CHALLENGE': {
    args: ['tick', '--json'],
    prepare: (project) => challenged(project, { ann: PRINTED, bob: LAST }),
    said: { ann: FIRST, bob: SECOND, 'ann 2': PRINTED, 'bob 2': LAST },
    told: { 2: ['ann', 'bob'] },
    again: works,
    finish: ENOUGH,
  },
} satisfies Record<string, Scenario>;
