import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { activeStates } from '../../app/active.ts';
import { stateDocument } from '../../app/result.ts';
import type { LegacyCommand } from '../spec.ts';
import { oneLineSummary, summary } from '../summary.ts';
import { openWorkspace } from '../../app/workspace.ts';

export const watchCommand: LegacyCommand = async (cli, _args, options) => {
  if (cli.json)
    throw new CouncilError('usage', 'watch prints a stream, not one document.', {
      hint: 'For one document: council status --json. To wait: council wait --json',
    });
  const workspace = openWorkspace(cli);
  const { store } = workspace;
  const only = typeof options.name === 'string' ? requireId(options.name, 'council name') : undefined;
  const shown = new Map<string, number>();
  const { clearScreenDown, cursorTo } = await import('node:readline');
  const draw = async () => {
    const { states, unreadable } = await activeStates(workspace, only);
    for (const { name, error } of unreadable) if (!cli.live) cli.note(`council "${name}": ${error.message}`);
    if (cli.live) {
      const documents = await Promise.all(states.map((state) => stateDocument(workspace, state)));
      const text = documents.map((document) => summary(document, cli)).join('\n\n');
      cursorTo(process.stdout, 0, 0);
      clearScreenDown(process.stdout);
      cli.show(`${text || 'No council is active.'}\n\nCtrl-C to leave.\n`);
      return;
    }
    for (const state of states) {
      if (shown.get(state.conversationId) === state.revision) continue;
      shown.set(state.conversationId, state.revision);
      cli.show(`${oneLineSummary(state)}\n`);
    }
  };
  const signal = cli.interruption();
  await draw();
  if (!cli.live && shown.size === 0)
    cli.note(
      `No council ${only === undefined ? 'is' : `"${only}" is`} active: waiting for one. Ctrl-C to leave.`,
    );
  await new Promise<void>((done, fail) => {
    // One drawing at a time, and one more for what happened meanwhile.
    let drawing = Promise.resolve();
    const stop = store.watch(only ?? '', () => void (drawing = drawing.then(draw).catch(fail)));
    const leave = () => {
      stop();
      done();
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  return { json: null, text: '' };
};
