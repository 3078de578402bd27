import { archiveOfName } from '../../archive/read.ts';
import { parseDuration } from '../../base/duration.ts';
import { CouncilError } from '../../base/errors.ts';
import { parse } from '../../council/document/document.ts';
import { awaited, seat } from '../../council/state/state.ts';
import type { CouncilState } from '../../council/state/state.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { interrupted } from '../../app/app.ts';
import { untilChange } from '../../app/until-change.ts';
import type { Outcome } from '../print.ts';
import type { LegacyCommand } from '../spec.ts';
import { councilName, openWorkspace } from '../../app/workspace.ts';
import { PHASES } from '../../council/state/choices.ts';

/** Whether what is waited for has come; `undefined` state: the council is archived. */
type Goal = { text: string; reached(state: CouncilState | undefined): boolean };

export const waitCommand: LegacyCommand = async (cli, _args, options) => {
  const workspace = openWorkspace(cli);
  const { store } = workspace;
  const name = await councilName(cli, workspace, options.name);
  const wanted = String(options.for ?? 'archived');
  // A script may ask only when everything is over.
  const over = wanted === 'archived' && (await store.read(name)) === undefined;
  const archive = over ? await archiveOfName(workspace.ports.archives, name) : undefined;
  if (archive) return archived(name, archive.conversationId, wanted);
  const first = (await readCouncil(workspace.ports, name)).council.state;
  const goal = goalOf(wanted, first);
  const deadline =
    options.timeout === undefined ? undefined : Date.now() + parseDuration(String(options.timeout));
  const signal = cli.interruption();
  for (;;) {
    const stored = await store.read(name);
    const state = stored && parse(stored.text, `council "${name}"`).state;
    const current = state?.conversationId === first.conversationId ? state : undefined;
    if (goal.reached(current)) {
      if (!current) return archived(name, first.conversationId, goal.text);
      const { conversationId, currentPhase: phase, tour } = current;
      return {
        json: { name, conversationId, for: goal.text, phase, tour, archived: false },
        text: `${name}: ${phase}, round ${tour}.`,
      };
    }
    if (!current)
      throw new CouncilError('failed', `"${name}" was archived before ${goal.text} came.`, {
        hint: 'See: council list',
      });
    if (deadline !== undefined && Date.now() >= deadline)
      throw new CouncilError('timed_out', `Timed out waiting for ${goal.text}.`, {
        hint: `See: council status --name ${name}`,
      });
    if (signal.aborted) throw interrupted(`council wait --name ${name} --for ${goal.text}`);
    await untilChange(store, name, stored?.revision ?? 0, deadline, signal);
  }
};

const archived = (name: string, conversationId: string, wanted: string): Outcome => ({
  json: { name, conversationId, for: wanted, phase: null, tour: null, archived: true },
  text: `${name} is archived.`,
});

function goalOf(text: string, state: CouncilState): Goal {
  const [what, which = ''] = text.split(':', 2);
  if (text === 'archived') return { text, reached: (now) => now === undefined };
  if (what === 'turn') {
    seat(state, which);
    return { text, reached: (now) => now !== undefined && awaited(now).includes(which) };
  }
  const phase = PHASES.find((name) => name === which.toUpperCase());
  if (what === 'phase' && phase) return { text, reached: (now) => now?.currentPhase === phase };
  throw new CouncilError('usage', `You cannot wait for ${JSON.stringify(text)}.`, {
    hint: `Use turn:AGENT, phase:PHASE (${PHASES.join(', ')}) or archived.`,
  });
}
