// Commands that prepare and describe a project: `init`, `doctor`, `modes`, `skill`, `trust`, `install` and `uninstall`.
import { init } from '../../app/init.ts';
import type {
  InitInput,
  DoctorInput,
  SkillInput,
  ModesInput,
  InstallInput,
  UninstallInput,
  TrustInput,
} from '../../app/input/project.ts';
import { renderSeatingLines } from '../../app/seat-programs.ts';
import { loadFindingWords, readLanguage } from '../../app/language.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import { toProseOutcome, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { diagnoseProject } from '../../app/doctor/doctor.ts';
import { formatCount, toOneLine } from '../../base/text.ts';
import { installSkill } from '../../app/skill.ts';
import { listModes } from '../../app/list-modes.ts';
import { formatDuration } from '../../base/duration.ts';
import { namePhase } from '../../base/words/reasons.ts';
import { install, uninstall } from '../../app/schedule/install.ts';
import type { Variables } from '../../app/schedule/install.ts';
import { trust } from '../../app/trust-project.ts';
import type { TrustResult } from '../../app/trust-project.ts';
import { renderRunnableLine } from '../../app/trust.ts';
import { formatLocalTime } from '../../base/local-time.ts';

export const performInit: Command<InitInput> = async (cli, input) => {
  const result = await init(cli, input);
  const words = loadWords(input.lang ?? (await readLanguage(cli)));
  const { init: w } = words;
  const { created, agents: written, notSeated: refused } = result.document;
  const lines =
    created.length === 0
      ? [fill(w.already, { folder: result.folder })]
      : [fill(w.prepared, { folder: result.folder }), ...created.map((path) => `  ${path}`)];
  lines.push(...renderSeatingLines({ written, refused }, words).map((line) => `  ${line}`));
  const ask = `  council ask "${w.question}"`;
  const next =
    written.length > 0
      ? ['  council doctor --probe', ask]
      : [
          ask,
          '  council agents add henry --title Henry -- your-program --flags',
          w.alone,
          '  council run --panel offline --brief README.md',
        ];
  lines.push('', words.ending.next, ...next);
  return toProseOutcome(result, lines.join('\n'));
};

const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

export const performDoctor: Command<DoctorInput> = async (cli, input) => {
  const result = await diagnoseProject(cli, input);
  const say = await loadFindingWords(cli);
  const { findings } = result.document;
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const lines = findings.flatMap(({ level, check, message, fix }) => [
    `${cli.paint(COLOURS[level], say(level).padEnd(7))}  ${check.padEnd(11)}  ${say(toOneLine(message, 1000))}`,
    ...(fix === null ? [] : [`${' '.repeat(22)}-> ${say(toOneLine(fix, 1000))}`]),
  ]);
  const end =
    errors + warnings === 0
      ? say('All is well.')
      : `${say(formatCount(errors, 'error'))}, ${say(formatCount(warnings, 'warning'))}.`;
  return toProseOutcome(result, [...lines, '', end].join('\n'));
};

export const performSkill: Command<SkillInput> = async (cli, input) => {
  const result = await installSkill(cli, input);
  const { files, installed } = result.document;
  const line = (file: string): string =>
    installed.includes(file) ? `Installed: ${file}` : `Already there: ${file}`;
  return toTextOutcome(result, files.map(line).join('\n'));
};

export const performModes: Command<ModesInput> = async (cli, input) => {
  const result = await listModes(cli, input);
  if (!('modes' in result.document)) return toTextOutcome(result, result.text ?? '');
  const say = await loadFindingWords(cli);
  const lines = result.document.modes.map((m) => {
    const phases = m.phases.map((phase) => namePhase(phase, m)).join(' > ');
    return `${m.name.padEnd(10)} ${phases}, ${say(`${formatDuration(m.timeout)} a phase`)}\n           ${say(toOneLine(m.description, 1000))}`;
  });
  return toProseOutcome(result, lines.join('\n'));
};

export const performInstall: Command<InstallInput> = async (cli, input) => {
  const result = await install(cli, input);
  const { document, job } = result;
  const { variables } = document;
  if ('crontab' in document)
    return toTextOutcome(
      result,
      document.dryRun
        ? `${document.crontab}${renderPlannedVariables(variables)}`
        : `The crontab of this user now calls council tick in ${job.root} (${job.every}).${describeVariablesFile(variables)}`,
    );
  const files = document.files.map((file) =>
    typeof file === 'string' ? `  ${file}` : `# ${file.path}\n${file.content}`,
  );
  return toTextOutcome(
    result,
    document.dryRun
      ? `${files.join('\n')}${renderPlannedVariables(variables)}`
      : `Written and enabled:\n${files.join('\n')}${describeVariablesFile(variables)}`,
  );
};

/** Names variables without their values. As a comment, because it follows what would be written. */
const renderPlannedVariables = ({ path, names }: Variables): string =>
  names.length === 0 ? '' : `# ${path} (0600) would have: ${names.join(', ')}\n`;

const describeVariablesFile = ({ path, names }: Variables): string =>
  names.length === 0 ? '' : `\nIts agents get ${names.join(', ')} from ${path}, which only you can read.`;

export const performUninstall: Command<UninstallInput> = async (cli, input) => {
  const result = await uninstall(cli, input);
  const { document, job } = result;
  const { dryRun } = document;
  if ('files' in document) {
    const files = document.files.map((path) => `  ${path}`).join('\n');
    return toTextOutcome(result, `${dryRun ? 'Would remove' : 'Removed'}:\n${files}`);
  }
  if (!document.changed) return toTextOutcome(result, `The crontab has no council entry for ${job.root}.`);
  const removed = `The block for ${job.root} is removed from the crontab.`;
  return toTextOutcome(result, dryRun ? document.crontab : removed);
};

export const performTrust: Command<TrustInput> = async (cli, input) => {
  const result = await trust(cli, input);
  return toProseOutcome(result, renderTrustResult(result));
};

function renderTrustResult(result: TrustResult): string {
  const { root } = result.document;
  switch (result.done) {
    case 'granted':
      return renderGrantedTrust(result, root);
    case 'listed':
      return renderTrustList(result);
    case 'revoked':
      return result.document.revoked
        ? `Nothing in ${root} will run until you trust it again. Programs that are already running go on.`
        : `Nobody had trusted ${root}.`;
  }
}

function renderGrantedTrust({ isNew, items }: TrustResult & { done: 'granted' }, root: string): string {
  if (!isNew) return `Nothing new: ${countCommands(items.length)} of ${root} may run already.`;
  const lines = items.map((item) => `  ${renderRunnableLine(item, root)}`);
  const none = ['  no command of its own, and your own agents (~/.claude/agents)'];
  return [`Trusted in ${root}:`, ...(lines.length > 0 ? lines : none)].join('\n');
}

function renderTrustList({ document, items, isOwn }: TrustResult & { done: 'listed' }): string {
  const { root, project, gone } = document;
  const standing = !project
    ? 'Nobody has trusted this folder yet.'
    : project.prepared
      ? `You prepared this folder (${formatLocalTime(project.since, Date.now())}): ${isOwn ? 'what you seat here by hand is trusted as it stands.' : 'it has a git remote, so start and run ask about what was not written with council agents add.'}`
      : `Trusted since ${formatLocalTime(project.since, Date.now())}.`;
  return [
    `${root}: ${standing}`,
    ...items.map((item) => `  ${item.state.padEnd(8)} ${renderRunnableLine(item, root)}`),
    ...gone.map(
      ({ key, runs, sha256 }) =>
        `  gone     ${renderRunnableLine({ key, runs, sha256, env: [], file: 'no longer there', needs: 'word' }, root)}`,
    ),
    ...(items.length + gone.length === 0 ? ['  No command of its own.'] : []),
  ].join('\n');
}

const countCommands = (commands: number): string =>
  commands === 1 ? 'the one command' : `all ${commands} commands`;
