// The use cases of the core that return a document, by command.
import * as archive from './input/archive.ts';
import { askFields, continueFields, rerunFields } from './input/ask.ts';
import * as project from './input/project.ts';
import * as council from './input/council.ts';
import { readFields } from './input/read.ts';
import type { App, Result } from './app.ts';
import { checkInput } from './input/check-input.ts';
import type { Given } from './input/check-input.ts';
import type { Fields, InputOf, Raw } from './input/fields.ts';

const loadRevisions = () => import('./revisions.ts');
const loadArchives = () => import('./archives.ts');
const loadManagement = () => import('./steer-council.ts');
const loadSchedule = () => import('./schedule/install.ts');

export const coreUseCases = {
  run: createUseCase(
    'run',
    council.runFields,
    async () => async (app, input) =>
      input.dryRun
        ? (await import('./cost-estimate/dry-run.ts')).planRun(app, input)
        : (await import('./run.ts')).run(app, input),
  ),
  ask: createUseCase('ask', askFields, async () => {
    const [{ ask }, { planAsk }] = await Promise.all([import('./ask.ts'), import('./ask-input.ts')]);
    return async (app, input) => (input.dryRun ? planAsk(app, input) : ask(app, input));
  }),
  rerun: createUseCase('rerun', rerunFields, async () => (await import('./rerun.ts')).rerun),
  demo: createUseCase(
    'demo',
    project.demoFields,
    async () => async (app) => (await import('./demo.ts')).playDemo(app),
  ),
  start: createUseCase('start', council.startFields, async () => (await import('./start.ts')).start),
  respond: createUseCase(
    'respond',
    council.respondFields,
    async () => (await import('./respond.ts')).respond,
  ),
  view: createUseCase('view', council.viewFields, async () => (await import('./view.ts')).viewCouncil),
  read: createUseCase(
    'read',
    readFields,
    async () => (await import('./preview-contribution.ts')).previewContribution,
  ),
  status: createUseCase('status', council.statusFields, async () => (await import('./status.ts')).readStatus),
  wait: createUseCase('wait', council.waitFields, async () => (await import('./wait.ts')).wait),
  tick: createUseCase('tick', council.tickFields, async () => (await import('./tick.ts')).tick),
  extend: createUseCase('extend', council.extendFields, async () => (await loadManagement()).extend),
  continue: createUseCase(
    'continue',
    continueFields,
    async () => (await import('./continue-council.ts')).continueCouncil,
  ),
  excuse: createUseCase('excuse', council.excuseFields, async () => (await loadManagement()).excuse),
  retry: createUseCase('retry', council.retryFields, async () => (await loadManagement()).retry),
  cancel: createUseCase('cancel', council.cancelFields, async () => (await loadManagement()).cancel),
  reveal: createUseCase('reveal', council.revealFields, async () => (await loadManagement()).reveal),
  history: createUseCase('history', archive.historyFields, async () => (await loadRevisions()).listRevisions),
  restore: createUseCase('restore', archive.restoreFields, async () => (await loadRevisions()).restore),
  adopt: createUseCase('adopt', archive.adoptFields, async () => (await loadRevisions()).adopt),
  list: createUseCase('list', archive.listFields, async () => (await loadArchives()).listArchivedCouncils),
  show: createUseCase('show', archive.showFields, async () => (await loadArchives()).show),
  outcome: createUseCase(
    'outcome',
    archive.outcomeFields,
    async () => (await import('./archives.ts')).recordOutcome,
  ),
  search: createUseCase('search', archive.searchFields, async () => (await import('./search.ts')).search),
  export: createUseCase(
    'export',
    archive.exportFields,
    async () => (await import('./archives.ts')).exportCouncil,
  ),
  cost: createUseCase('cost', archive.costFields, async () => (await import('./ledger.ts')).reportCost),
  ledger: createUseCase('ledger', archive.ledgerFields, async () => (await import('./ledger.ts')).readLedger),
  init: createUseCase('init', project.initFields, async () => (await import('./init.ts')).init),
  doctor: createUseCase(
    'doctor',
    project.doctorFields,
    async () => (await import('./doctor/doctor.ts')).diagnoseProject,
  ),
  trust: createUseCase('trust', project.trustFields, async () => (await import('./trust-project.ts')).trust),
  modes: createUseCase('modes', project.modesFields, async () => (await import('./list-modes.ts')).listModes),
  install: createUseCase('install', project.installFields, async () => (await loadSchedule()).install),
  uninstall: createUseCase(
    'uninstall',
    project.uninstallFields,
    async () => (await loadSchedule()).uninstall,
  ),
  skill: createUseCase('skill', project.skillFields, async () => (await import('./skill.ts')).installSkill),
};

/** A use case for faces that call all of them the same way. */
interface UseCase {
  fields: Fields;
  perform(app: App, raw: Raw, given: Omit<Given, 'command'>): Promise<Result>;
}

/** A call only imports what `load` imports. */
export function createUseCase<F extends Fields>(
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
