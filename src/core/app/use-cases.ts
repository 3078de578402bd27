// The use cases of the core that end with a document, by the name of their command.
import * as archive from './input/archive.ts';
import { askFields, continueFields, rerunFields } from './input/ask.ts';
import * as project from './input/project.ts';
import * as council from './input/council.ts';
import { readFields } from './input/read.ts';
import type { App, Result } from './app.ts';
import { checkInput } from './input/check-input.ts';
import type { Given } from './input/check-input.ts';
import type { Fields, InputOf, Raw } from './input/fields.ts';

const revisions = () => import('./revisions.ts');
const archives = () => import('./archives.ts');
const manage = () => import('./manage.ts');
const schedule = () => import('./schedule/install.ts');

export const coreUseCases = {
  run: useCase(
    'run',
    council.runFields,
    async () => async (app, input) =>
      input.dryRun
        ? (await import('./cost-estimate/dry-run.ts')).plan(app, input)
        : (await import('./run.ts')).run(app, input),
  ),
  ask: useCase('ask', askFields, async () => {
    const [{ ask }, { planAsk }] = await Promise.all([import('./ask.ts'), import('./ask-input.ts')]);
    return async (app, input) => (input.dryRun ? planAsk(app, input) : ask(app, input));
  }),
  rerun: useCase('rerun', rerunFields, async () => (await import('./rerun.ts')).rerun),
  demo: useCase('demo', project.demoFields, async () => async (app) => (await import('./demo.ts')).demo(app)),
  start: useCase('start', council.startFields, async () => (await import('./start.ts')).start),
  respond: useCase('respond', council.respondFields, async () => (await import('./respond.ts')).respond),
  view: useCase('view', council.viewFields, async () => (await import('./view.ts')).view),
  read: useCase(
    'read',
    readFields,
    async () => (await import('./preview-contribution.ts')).previewContribution,
  ),
  status: useCase('status', council.statusFields, async () => (await import('./status.ts')).status),
  wait: useCase('wait', council.waitFields, async () => (await import('./wait.ts')).wait),
  tick: useCase('tick', council.tickFields, async () => (await import('./tick.ts')).tick),
  extend: useCase('extend', council.extendFields, async () => (await manage()).extend),
  continue: useCase(
    'continue',
    continueFields,
    async () => (await import('./continue-council.ts')).continueCouncil,
  ),
  excuse: useCase('excuse', council.excuseFields, async () => (await manage()).excuse),
  retry: useCase('retry', council.retryFields, async () => (await manage()).retry),
  cancel: useCase('cancel', council.cancelFields, async () => (await manage()).cancel),
  reveal: useCase('reveal', council.revealFields, async () => (await manage()).reveal),
  history: useCase('history', archive.historyFields, async () => (await revisions()).history),
  restore: useCase('restore', archive.restoreFields, async () => (await revisions()).restore),
  adopt: useCase('adopt', archive.adoptFields, async () => (await revisions()).adopt),
  list: useCase('list', archive.listFields, async () => (await archives()).listArchivedCouncils),
  show: useCase('show', archive.showFields, async () => (await archives()).show),
  outcome: useCase('outcome', archive.outcomeFields, async () => (await import('./archives.ts')).outcome),
  search: useCase('search', archive.searchFields, async () => (await import('./search.ts')).search),
  export: useCase('export', archive.exportFields, async () => (await import('./archives.ts')).exportCouncil),
  cost: useCase('cost', archive.costFields, async () => (await import('./ledger.ts')).cost),
  ledger: useCase('ledger', archive.ledgerFields, async () => (await import('./ledger.ts')).ledger),
  init: useCase('init', project.initFields, async () => (await import('./prepare.ts')).init),
  doctor: useCase('doctor', project.doctorFields, async () => (await import('./doctor/doctor.ts')).doctor),
  trust: useCase('trust', project.trustFields, async () => (await import('./trust-project.ts')).trust),
  modes: useCase('modes', project.modesFields, async () => (await import('./list-modes.ts')).modes),
  install: useCase('install', project.installFields, async () => (await schedule()).install),
  uninstall: useCase('uninstall', project.uninstallFields, async () => (await schedule()).uninstall),
  skill: useCase('skill', project.skillFields, async () => (await import('./skill.ts')).skill),
};

/** A use case for a face that calls many of them alike. */
interface UseCase {
  fields: Fields;
  perform(app: App, raw: Raw, given: Omit<Given, 'command'>): Promise<Result>;
}

/** `load` is the only import that a call pays for. */
export function useCase<F extends Fields>(
  command: string,
  fields: F,
  load: () => Promise<(app: App, input: InputOf<F>) => Promise<Result>>,
): UseCase {
  return {
    fields,
    async perform(app, raw, given) {
      const input = checkInput(fields, raw, { ...given, command });
      return (await load())(app, input);
    },
  };
}
