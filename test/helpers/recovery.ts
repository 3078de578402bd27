import fs from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from '../../src/core/council/document/document.ts';
import { filesIn } from './cli.ts';
import type { Project } from './cli.ts';
import type { Status } from './documents.ts';
import type { Scenario } from './scenarios.ts';
import { must } from './scenarios.ts';
import { hash } from './texts.ts';
import { leftovers, saidByTour, theArchive } from './tries.ts';

function launches(project: Project): number {
  const log = join(project.outside, 'launches');
  return fs.existsSync(log) ? fs.readFileSync(log, 'utf8').length / 2 : 0;
}

/** True when a dead tick left everything that its program said. */
const isSpooled = (project: Project): boolean =>
  filesIn(project.privateDir).some((path) => path.endsWith('-exit.json'));

/** Whoever has responded has the whole text in the state, or sealed; nobody else has any of it there. */
function expectAllOrNone(project: Project, ids: string[], said: Record<string, string>, at: string): void {
  const { state, contributions } = parse(
    project.read('memory/shared/council-active-conversation.md').toString(),
  );
  const sealed = filesIn(project.privateDir).filter((path) => basename(path).startsWith('sealed-'));
  const textOf = (id: string): unknown => {
    const commitment = state.participants[id]!.commitment;
    if (commitment === null) return contributions.find(({ by }) => by === id)?.text;
    const file = sealed.find((path) => path.endsWith(`-${state.tour}-${commitment.slice(0, 32)}.json`));
    return file && (JSON.parse(fs.readFileSync(file, 'utf8')) as { text: unknown }).text;
  };
  expect(
    ids.map((id) => [id, textOf(id)]),
    at,
  ).toEqual(ids.map((id) => [id, state.participants[id]!.status === 'RESPONDED' ? said[id] : undefined]));
}

/**
 * After the command was ended half-way: the state can be read, nobody who was told "recorded" is missing, the same
 * command just works, nothing is left behind, and the council can be played to an archive that holds everything.
 */
export async function expectRecovery(project: Project, scenario: Scenario, at: string): Promise<void> {
  const status = await project.council<Status>(['status', '--json']);
  expect(status.code, at).toBe(0);
  expect(scenario.edited ? status.stderr.replace(/^.* was changed by hand.*\n/, '') : status.stderr, at).toBe(
    '',
  );
  for (const { tour, participants, edited } of status.json.councils) {
    if (!scenario.edited) expect(edited, at).toBe(false);
    const told = (scenario.told ?? { 1: ['ann', 'bob'] })[tour]?.filter((id) => id in participants) ?? [];
    expect(
      told.map((id) => participants[id]!.status),
      at,
    ).toEqual(told.map(() => 'RESPONDED'));
  }
  expect(leftovers(project, 'project'), at).toEqual([]);
  if (scenario.together) expectAllOrNone(project, scenario.together, scenario.said, at);

  const [spooled, before] = [isSpooled(project), launches(project)];
  await scenario.again(await project.council(scenario.args, { input: scenario.input }), project, at);
  expect(leftovers(project), at).toEqual([]);
  // A complete spool is recorded; without one the program is launched again.
  if ('dan' in scenario.said) expect(launches(project), at).toBe(spooled ? before : before + 1);

  if (scenario.finish) await must(project, scenario.finish);
  expect((await project.council(['tick', '--until-idle', '--json'])).code, at).toBe(0);
  const archive = theArchive(project, at);
  expect(saidByTour(archive, at), at).toEqual(scenario.said);
  expect(
    archive.late.map((text) => text.sha256),
    at,
  ).toEqual(scenario.late === undefined ? [] : [hash(scenario.late)]);
  expect(leftovers(project), at).toEqual([]);
  const states = fs.readdirSync(join(project.root, 'memory/shared')).filter((name) => name.endsWith('.md'));
  expect(states, at).toEqual([]);
}
