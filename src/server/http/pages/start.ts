// Page to start a council: question, participants and rules, and the equivalent command.
import { TABLE } from '../../../core/app/input/table.ts';
import { toOneLine, quoteShellWord } from '../../../core/base/text.ts';
import { fill, formatMoney, LANGUAGES } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { toProblem } from '../context.ts';
import { respondWithProblem, redirectToPage, renderProgramMessage, respondWithPage } from './layout.ts';
import { renderFormToken } from './visitor.ts';
import { renderHeartbeatNotice } from './councils.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';
import { asDuration } from '../../../core/base/duration.ts';
import { isId } from '../../../core/base/ids.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import { translateMode } from '../../page/page-formats.ts';
import type { PageWords } from '../../page/words.ts';

/** Shown above the form: an error, or the command. */
interface StartNotice {
  problem?: FormError | undefined;
  command?: string;
}

export function addStart(site: Site): void {
  site.get('/start', async (c, visitor) => {
    const denied = visitor.may('start');
    return denied
      ? respondWithProblem(c, visitor, denied)
      : respondWithStartPage(site, c, visitor, readStartForm(new URLSearchParams()), {});
  });
  site.post('/start', async (c, visitor, form) => {
    const denied = visitor.may('start');
    if (denied) return respondWithProblem(c, visitor, denied);
    const filled = readStartForm(form);
    if (form.get('do') !== 'start')
      return respondWithStartPage(site, c, visitor, filled, {
        problem: findComplaint(filled, visitor.w),
        command: renderStartCommand(filled),
      });
    const wrong = findComplaint(filled, visitor.w);
    if (wrong) return respondWithStartPage(site, c, visitor, filled, { problem: wrong });
    const done = await visitor.ask('start', toStartInput(filled));
    const { name } = done.document as { name?: string };
    if (!done.failed && name !== undefined) return redirectToPage(c, `/councils/${name}?done=start`);
    const problem = explainStartRefusal(done, filled, visitor);
    c.set('reason', toProblem(done).code);
    return respondWithStartPage(site, c, visitor, filled, { problem, command: renderStartCommand(filled) });
  });
}

async function respondWithStartPage(
  site: Site,
  c: Ctx,
  visitor: Visitor,
  filled: StartForm,
  said: StartNotice,
): Promise<Response> {
  const { w } = visitor;
  const { problem, command } = said;
  if (problem && c.get('reason') === undefined) c.set('reason', 'usage');
  return respondWithPage(c, visitor, {
    title: w.site.startTitle,
    at: 'start',
    status: problem ? 422 : 200,
    main: html`<h1>${w.site.startTitle}</h1>
      ${await renderHeartbeatNotice(site, visitor)}
      ${
        problem &&
        html`<div class="notice" role="alert">
          <p class="bad" id="wrong">${problem.says}</p>
          ${problem.exactly}
        </div>`
      }
      ${
        command !== undefined &&
        html`<section id="command" aria-labelledby="command-h">
          <h2 id="command-h">${w.site.sameCommand}</h2>
          <pre>${command}</pre>
          ${filled.brief.trim() !== '' && html`<p class="beside">${w.site.briefFile}</p>`}
          ${filled.agents.length === 0 && html`<p class="beside">${w.site.whoHelp}</p>`}
        </section>`
      }
      ${renderStartForm(filled, visitor, await site.data.seatable(), problem?.field)}`,
  });
}

/** Each in its own language. */
const NAMES: Record<Language, string> = { en: 'English', fr: 'Français' };

type Seatable = Awaited<ReturnType<Site['data']['seatable']>>;

function renderStartForm(
  filled: StartForm,
  visitor: Visitor,
  { agents, modes }: Seatable,
  wrong: keyof StartForm | undefined,
): Html {
  const { site } = visitor.w;
  const builtIn = agents.filter((one) => one.isBuiltIn);
  const untrusted = agents.filter(({ isTrusted }) => !isTrusted).map(({ id }) => id);
  const input = (name: 'topic' | 'name' | 'timeout' | 'budget', label: string, help?: string): Html =>
    html`<label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        value="${filled[name]}"
        dir="auto"
        ${linkFieldHelp(name, help !== undefined, wrong)}
      />
      ${help !== undefined && html`<p id="${name}-help" class="beside">${help}</p>`}`;
  return html`<form method="post" action="/start" class="start">
    ${renderFormToken(visitor)} ${input('topic', site.question, site.questionHelp)}
    ${input('name', site.name, site.nameHelp)}
    <label for="brief">${site.brief}</label>
    <p id="brief-help" class="beside">${site.briefHelp}</p>
    <textarea id="brief" name="brief" dir="auto" data-drop aria-describedby="brief-help">
${filled.brief}</textarea>
    <label for="options">${site.options}</label>
    <textarea id="options" name="options" dir="auto" class="few" ${linkFieldHelp('options', true, wrong)}>
${filled.options}</textarea>
    <p id="options-help" class="beside">${site.optionsHelp}</p>
    <fieldset ${linkFieldHelp('agents', true, wrong)}>
      <legend>${site.who}</legend>
      <p id="agents-help" class="beside">${site.whoHelp}</p>
      ${agents.length === builtIn.length && html`<p>${site.noAgents}</p>`}
      ${agents.filter((one) => !one.isBuiltIn).map((one) => renderAgentBox(one, filled, visitor))}
      ${
        builtIn.length > 0 &&
        html`<p><strong>${site.builtIn}</strong> <span class="beside">${site.builtInHelp}</span></p>
          ${builtIn.map((one) => renderAgentBox(one, filled, visitor))}`
      }
      ${untrusted.length > 0 && html`<p class="notice">${fill(site.trustFirst, { names: untrusted.join(', ') })} ${site.helps} <code>council trust</code></p>`}
    </fieldset>
    <div class="row">
      ${renderSelect('coordinator', site.coordinator, filled, [['', site.usual], ['-', site.nobody], ...agents.map(({ id, title }): [string, string] => [id, title])])}
      ${renderSelect('mode', site.mode, filled, [['', translateMode('debate', visitor.w)], ...modes.filter((name) => name !== 'debate').map((name): [string, string] => [name, translateMode(name, visitor.w)])])}
      ${renderSelect('rule', site.rule, filled, [['', site.ofTheMode], ...TABLE.rule.choices.map((name): [string, string] => [name, visitor.w.ruleName[name]])])}
      ${renderSelect('lang', site.language, filled, [['', site.usual], ...LANGUAGES.map((one): [string, string] => [one, NAMES[one]])])}
      <div>${input('timeout', site.timeout, site.timeoutHelp)}</div>
      <div>${input('budget', site.budget, site.budgetHelp)}</div>
    </div>
    <p>
      <button name="do" value="show">${site.showCommand}</button>
      <button name="do" value="start" class="main">${site.startNow}</button>
    </p>
  </form>`;
}

/** Returns the ARIA attributes of a field: its error first, then its help. */
function linkFieldHelp(
  name: keyof StartForm,
  hasHelp: boolean,
  wrong: keyof StartForm | undefined,
): Html | null {
  const isWrong = name === wrong;
  if (!isWrong && !hasHelp) return null;
  const by = [...(isWrong ? ['wrong'] : []), ...(hasHelp ? [`${name}-help`] : [])].join(' ');
  return html`aria-describedby="${by}" ${isWrong && html`aria-invalid="true"`}`;
}

function renderAgentBox(
  { id, emoji, title, isPerson, isBuiltIn, costUsd }: Seatable['agents'][number],
  filled: StartForm,
  { w }: Visitor,
): Html {
  const { site } = w;
  const cost =
    costUsd === null ? site.costUnknown : fill(site.costsLately, { cost: formatMoney(costUsd, w.common) });
  return html`<label>
    <input type="checkbox" name="agents" value="${id}" ${filled.agents.includes(id) && 'checked'} />
    ${toOneLine(`${emoji} ${title}`, 80)}
    <span class="beside"
      >${title.toLowerCase() !== id && `${id}, `}${isPerson ? site.aPerson : isBuiltIn ? site.costsNothing : cost}</span
    >
  </label>`;
}

const renderSelect = (
  name: 'coordinator' | 'mode' | 'rule' | 'lang',
  label: string,
  filled: StartForm,
  choices: readonly [string, string][],
): Html =>
  html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${choices.map(([value, shown]) => html`<option value="${value}" ${value === filled[name] && 'selected'}>${shown}</option>`)}
    </select>
  </div>`;

// Validates the form in the page's words, since the server's own refusals are written for programs.

/** An error message, and the id of its field. */
interface FormError {
  says: string;
  /** The message for programs. */
  exactly?: Html | null;
  field?: keyof StartForm;
}

/** Returns the first invalid field; undefined if there is none. */
export function findComplaint(filled: StartForm, { site }: PageWords): FormError | undefined {
  const { topic, brief, name, agents, coordinator, timeout, budget } = filled;
  const createComplaint = (field: keyof StartForm, says: string): FormError => ({ says, field });
  if (topic === '' && brief.trim() === '') return createComplaint('topic', site.noQuestion);
  if (name !== '' && !isId(name)) return createComplaint('name', fill(site.notAName, { name }));
  if (!hasOnlyOptions(splitOptionLines(filled))) return createComplaint('options', site.notOptions);
  if (agents.length > 0 && agents.every((id) => id === coordinator))
    return createComplaint('agents', site.nobodySits);
  if (timeout !== '' && asDuration(timeout) === undefined) return createComplaint('timeout', site.notATime);
  if (budget !== '' && parseBudget(budget) === undefined) return createComplaint('budget', site.notABudget);
  return undefined;
}

const hasOnlyOptions = (options: readonly string[]): boolean =>
  options.length === 0 ||
  (options.length > 1 && new Set(options.map((one) => one.toLowerCase())).size === options.length);

export function explainStartRefusal(
  done: CallOutcome,
  { name, topic }: StartForm,
  visitor: Parameters<typeof renderProgramMessage>[0],
): FormError {
  const { site } = visitor.w;
  const problem = toProblem(done);
  const { code } = problem;
  if (code === 'name_taken')
    return { says: name === '' ? site.needsName : fill(site.nameTaken, { name }), field: 'name' };
  // The rest of the form may be valid: the brief has no heading.
  if (code === 'usage' && topic === '') return { says: site.noQuestion, field: 'topic' };
  if (code === 'usage' && problem.detail.startsWith('No participants'))
    return { says: site.nobodyChosen, field: 'agents' };
  return renderProgramMessage(visitor, problem);
}

/** The form's fields; empty if not filled in. */
interface StartForm {
  topic: string;
  name: string;
  brief: string;
  options: string;
  agents: string[];
  mode: string;
  rule: string;
  timeout: string;
  budget: string;
  coordinator: string;
  lang: string;
}

/** Reads the form as typed, without validation. */
export function readStartForm(form: URLSearchParams): StartForm {
  const getField = (name: string): string => form.get(name) ?? '';
  const line = (name: string): string => toOneLine(getField(name), 1000).trim();
  return {
    topic: line('topic'),
    name: line('name'),
    brief: getField('brief'),
    options: getField('options'),
    agents: form.getAll('agents'),
    mode: line('mode'),
    rule: line('rule'),
    timeout: line('timeout'),
    budget: line('budget'),
    coordinator: line('coordinator'),
    lang: line('lang'),
  };
}

const splitOptionLines = ({ options }: StartForm): string[] =>
  options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Parses US$; undefined unless above 0. A comma is accepted as a decimal point. */
function parseBudget(budget: string): number | undefined {
  const usd = /^[\d.,]+$/.test(budget) ? Number(budget.replace(',', '.')) : 0;
  return usd > 0 ? usd : undefined;
}

export function toStartInput(filled: StartForm): Record<string, unknown> {
  const { topic, name, brief, agents, mode, rule, timeout, budget, coordinator, lang } = filled;
  const option = splitOptionLines(filled);
  return {
    ...(topic !== '' && { topic }),
    ...(name !== '' && { name }),
    ...(brief.trim() !== '' && { brief }),
    ...(agents.length > 0 && { agents }),
    ...(mode !== '' && { mode }),
    ...(rule !== '' && { rule }),
    ...(timeout !== '' && { timeout }),
    ...(budget !== '' && { budgetUsd: parseBudget(budget) }),
    ...(lang !== '' && { lang }),
    ...(option.length > 0 && { option }),
    ...(coordinator !== '' && { coordinator: coordinator === '-' ? '' : coordinator }),
  };
}

/** Returns the equivalent command, quoted for a shell. */
export function renderStartCommand(filled: StartForm): string {
  const { topic, name, brief, agents, mode, rule, timeout, budget, coordinator, lang } = filled;
  const formatOption = (option: string, value: string): string[] =>
    value === '' ? [] : [option, quoteShellWord(value)];
  return [
    'council start',
    ...(topic === '' ? [] : [quoteShellWord(topic)]),
    ...formatOption('--name', name),
    ...formatOption('--brief', brief.trim() === '' ? '' : 'brief.md'),
    ...formatOption('--agents', agents.join(',')),
    ...splitOptionLines(filled).flatMap((option) => formatOption('--option', option)),
    ...formatOption('--mode', mode),
    ...formatOption('--rule', rule),
    ...formatOption('--lang', lang),
    ...formatOption('--timeout', timeout),
    ...formatOption('--budget-usd', budget.replace(',', '.')),
    ...(coordinator === '-' ? ['--coordinator', "''"] : formatOption('--coordinator', coordinator)),
  ].join(' ');
}
