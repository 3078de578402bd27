import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { onSmallDisk, whyNoMount } from '../helpers/mounts.ts';
import type { SmallDisk } from '../helpers/mounts.ts';
import { expectRecovery } from '../helpers/recovery.ts';
import { SCENARIOS } from '../helpers/scenarios.ts';
import type { Scenario } from '../helpers/scenarios.ts';
import { drop, leftovers, model, trustAll } from '../helpers/tries.ts';

const whyNot = whyNoMount();
const NAMES = [
  'respond, blind',
  'respond, open',
  'tick that closes and reveals',
  'tick that launches',
  'tick that archives',
  'cancel',
  'restore of a revision without a contribution',
  'restore that drops a hand edit',
  'adopt',
  'start',
  'respond in CHALLENGE',
  'tick that closes CHALLENGE',
] as const;

/** So long that a write can fail in its middle. */
const LONG = 'A sentence that is said again.\n'.repeat(500);
const long: Scenario = {
  ...SCENARIOS['respond, open'],
  input: LONG,
  said: { ...SCENARIOS['respond, open'].said, cleo: LONG },
};

const statePath = (project: Project): string =>
  join(project.root, 'memory/shared/council-active-conversation.md');
const historyOf = (project: Project): string =>
  join(project.root, 'memory/shared/.versions/active-conversation');
const newest = (project: Project): string =>
  `${existsSync(historyOf(project)) ? readdirSync(historyOf(project)).length : 0}.md`;

/** Everything under the shared folder, by content, but for who beats and the cache of when councils are due. */
function contents(project: Project): Record<string, string> {
  return Object.fromEntries(
    filesIn(join(project.root, 'memory/shared'))
      .filter((path) => !/\/\.versions\/\.(due|heartbeats)\//.test(path))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

/** What `restore` keeps of a text before it goes is kept also when it cannot go. */
const withoutCopies = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !/\/\.(late|edits)\//.test(path)));

/** One try on a nearly full disk. Returns true when there was room enough for the whole command. */
async function tryOnce(project: Project, scenario: Scenario, at: string): Promise<boolean> {
  const before = contents(project);
  const revision = newest(project);
  const { code, stdout, stderr } = await project.council(scenario.args, { input: scenario.input });
  if (code === 0) return true;
  expect(code, `${at}: ${stderr}`).toBe(1);
  expect(stdout + stderr, at).toMatch(/ENOSPC/);
  expect(stdout + stderr, at).not.toMatch(/bug in council/);
  // What is past its last commit for contributions is told to be so.
  const isClosing =
    existsSync(statePath(project)) && /^ {2}"closing": \{/m.test(readFileSync(statePath(project), 'utf8'));
  if (isClosing) expect(stdout + stderr, at).toMatch(/is closing.* council tick --name active-conversation/s);
  // A command that commits once has changed nothing at all; a longer one stands at its last whole step.
  if (newest(project) === revision) expect(withoutCopies(contents(project)), at).toEqual(before);
  else if (existsSync(statePath(project)) && !scenario.edited)
    expect(readFileSync(statePath(project)), at).toEqual(
      readFileSync(join(historyOf(project), newest(project))),
    );
  expect(
    leftovers(project, 'project').filter((path) => !path.endsWith('.ballast')),
    at,
  ).toEqual([]);
  return false;
}

/** Tries with ever more room, from none at all until the command works; returns how often it failed. */
async function fillEverywhere(
  scenario: Scenario,
  part: 'project' | 'state',
  constrain: (disk: SmallDisk, room: number) => void,
): Promise<number> {
  const fresh = await model(scenario.prepare);
  for (let room = 0; ; room++) {
    const at = `room for ${room}`;
    const project = fresh();
    let enough = false;
    mkdirSync(join(dirname(project.root), part), { recursive: true });
    await onSmallDisk(join(dirname(project.root), part), async (disk) => {
      // Another disk is another folder, as a copy is.
      if (part === 'project' && 'dan' in scenario.said) trustAll(project);
      constrain(disk, room);
      enough = await tryOnce(project, scenario, at);
      disk.free();
      await expectRecovery(project, scenario, at);
    });
    drop(project);
    if (enough) return room;
    expect(room).toBeLessThan(100);
  }
}

describe.skipIf(whyNot !== '')(`a full disk of 1 MB${whyNot && ` (skipped: ${whyNot})`}`, () => {
  it.each(NAMES)('no block left at any write of `%s`', async (name) => {
    const failed = await fillEverywhere(SCENARIOS[name], 'project', (disk, pages) => disk.fill(pages));
    console.log(
      `${name}: failed cleanly with room for 0 to ${failed - 1} blocks in the project, worked with ${failed}`,
    );
    expect(failed).toBeGreaterThan(0);
  });

  it.each(NAMES)('no name left at any file of `%s`', async (name) => {
    const failed = await fillEverywhere(SCENARIOS[name], 'project', (disk, names) => disk.limit(names));
    console.log(
      `${name}: failed cleanly with room for 0 to ${failed - 1} names in the project, worked with ${failed}`,
    );
    expect(failed).toBeGreaterThan(0);
  });

  it('no block left anywhere in a long text', async () => {
    const failed = await fillEverywhere(long, 'project', (disk, pages) => disk.fill(pages));
    console.log(
      `respond with ${LONG.length} bytes: failed cleanly with room for 0 to ${failed - 1} blocks, worked with ${failed}`,
    );
    expect(failed).toBeGreaterThan(6);
  });

  it.each([
    'respond, blind',
    'tick that launches',
    'tick that archives',
    'cancel',
    'start with tokens',
  ] as const)('no block and no name left in the private folder, at any write of `%s`', async (name) => {
    const blocks = await fillEverywhere(SCENARIOS[name], 'state', (disk, pages) => disk.fill(pages));
    const names = await fillEverywhere(SCENARIOS[name], 'state', (disk, room) => disk.limit(room));
    console.log(`${name}: failed cleanly up to ${blocks} blocks and ${names} names in the private folder`);
    expect(blocks + names).toBeGreaterThan(0);
  });
});
