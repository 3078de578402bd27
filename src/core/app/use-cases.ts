// The use cases of the core that return a document, by command.
import * as archive from './input/archive.ts';
import { askFields, continueFields, rerunFields } from './input/ask.ts';
import * as project from './input/project.ts';
import * as council from './input/council.ts';
import { readFields } from './input/archive.ts';
import type { App, Result } from './app.ts';
import { checkInput } from './input/check-input.ts';
import type { InputContext } from './input/check-input.ts';
import type { Fields, InputOf, Raw } from './input/fields.ts';

const loadRevisions = () => import('./revisions.ts');
const loadArchives = () => import('./archives.ts');
const loadManagement = () => import('./steer-council.ts');
const loadSchedule = () => import('./schedule/install.ts');

export const coreUseCases = nameUseCases({
  run: createUseCase(
    council.runFields,
    async () => async (app, input) =>
      input.dryRun
        ? (await import('./cost-estimate/dry-run.ts')).planRun(app, input)
        : (await import('./run.ts')).run(app, input),
  ),
  ask: createUseCase(askFields, async () => {
    const [{ ask }, { planAsk }] = await Promise.all([import('./ask.ts'), import('./ask-input.ts')]);
    return async (app, input) => (input.dryRun ? planAsk(app, input) : ask(app, input));
  }),
  rerun: createUseCase(rerunFields, async () => (await import('./rerun.ts')).rerun),
  demo: createUseCase(
    project.demoFields,
    async () => async (app) => (await import('./demo.ts')).playDemo(app),
  ),
  start: createUseCase(council.startFields, async () => (await import('./start.ts')).start),
  respond: createUseCase(council.respondFields, async () => (await import('./respond.ts')).respond),
  view: createUseCase(council.viewFields, async () => (await import('./view.ts')).viewCouncil),
  read: createUseCase(readFields, async () => (await import('./view.ts')).previewContribution),
  status: createUseCase(council.statusFields, async () => (await import('./status.ts')).readStatus),
  wait: createUseCase(council.waitFields, async () => (await import('./wait.ts')).wait),
  tick: createUseCase(council.tickFields, async () => (await import('./tick.ts')).tick),
  extend: createUseCase(council.extendFields, async () => (await loadManagement()).extend),
  continue: createUseCase(
    continueFields,
    async () => (await import('./continue-council.ts')).continueCouncil,
  ),
  excuse: createUseCase(council.excuseFields, async () => (await loadManagement()).excuse),
  retry: createUseCase(council.retryFields, async () => (await loadManagement()).retry),
  cancel: createUseCase(council.cancelFields, async () => (await loadManagement()).cancel),
  reveal: createUseCase(council.revealFields, async () => (await loadManagement()).reveal),
  history: createUseCase(archive.historyFields, async () => (await loadRevisions()).listRevisions),
  restore: createUseCase(archive.restoreFields, async () => (await loadRevisions()).restore),
  adopt: createUseCase(archive.adoptFields, async () => (await loadRevisions()).adopt),
  list: createUseCase(archive.listFields, async () => (await loadArchives()).listArchivedCouncils),
  show: createUseCase(archive.showFields, async () => (await loadArchives()).show),
  outcome: createUseCase(archive.outcomeFields, async () => (await import('./archives.ts')).recordOutcome),
  search: createUseCase(archive.searchFields, async () => (await import('./search.ts')).search),
  export: createUseCase(archive.exportFields, async () => (await import('./archives.ts')).exportCouncil),
  cost: createUseCase(archive.costFields, async () => (await import('./ledger.ts')).reportCost),
  ledger: createUseCase(archive.ledgerFields, async () => (await import('./ledger.ts')).readLedger),
  init: createUseCase(project.initFields, async () => (await import('./init.ts')).init),
  doctor: createUseCase(
    project.doctorFields,
    async () => (await import('./doctor/doctor.ts')).diagnoseProject,
  ),
  trust: createUseCase(project.trustFields, async () => (await import('./trust-project.ts')).trust),
  modes: createUseCase(project.modesFields, async () => (await import('./list-modes.ts')).listModes),
  install: createUseCase(project.installFields, async () => (await loadSchedule()).install),
  uninstall: createUseCase(project.uninstallFields, async () => (await loadSchedule()).uninstall),
  skill: createUseCase(project.skillFields, async () => (await import('./skill.ts')).installSkill),
});

/** A use case for faces that call all of them the same way. */
interface UseCase {
  fields: Fields;
  perform(app: App, raw: Raw, given: Omit<InputContext, 'command'>): Promise<Result>;
}

type NamedLater = (command: string) => UseCase;

/** A call only imports what `load` imports. */
export function createUseCase<F extends Fields>(
  fields: F,
  load: () => Promise<(app: App, input: InputOf<F>) => Promise<Result>>,
): NamedLater {
  return (command) => ({
    fields,
    async perform(app, raw, given) {
      const input = checkInput(fields, raw, { ...given, command });
      return (await load())(app, input);
    },
  });
}

/** The key of a use case is the name of its command. */
export function nameUseCases<Name extends string>(made: Record<Name, NamedLater>): Record<Name, UseCase> {
  const named = Object.entries<NamedLater>(made).map(([name, make]) => [name, make(name)]);
  return Object.fromEntries(named) as Record<Name, UseCase>;
}
