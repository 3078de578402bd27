// A new council: its question, who takes part and by which rules, and the command that does the same.
import { TABLE } from '../../app/input/table.ts';
import { shellWord } from '../../base/shell.ts';
import { oneLine } from '../../base/text.ts';
import { fill } from '../../base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { figure } from '../../page/show.ts';
import { problemOf } from '../problem.ts';
import type { Ctx } from '../context.ts';
import { problemPage, seeOther } from './answers.ts';
import { heartbeatNotice } from './councils.ts';
import { formTokenField } from './forms.ts';
import { layout } from './layout.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

/** What was filled in; empty where nothing is. */
interface Filled {
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
}

/** What is said above the form: what went wrong, or the command. */
interface Said {
  problem?: { detail: string; hint: string | null };
  command?: string;
}

export function addStart(site: Site): void {
  site.get('/start', async (c, visitor) => {
    const denied = visitor.may('start') ?? ownerOnly(visitor);
    return denied
      ? problemPage(c, visitor, denied)
      : page(site, c, visitor, filledIn(new URLSearchParams()), {});
  });
  site.post('/start', async (c, visitor, form) => {
    const denied = visitor.may('start') ?? ownerOnly(visitor);
    if (denied) return problemPage(c, visitor, denied);
    const filled = filledIn(form);
    if (form.get('do') !== 'start') return page(site, c, visitor, filled, { command: commandOf(filled) });
    const given = givenBy(filled);
    if (given === undefined)
      return page(site, c, visitor, filled, { problem: { detail: visitor.w.site.notABudget, hint: null } });
    const done = await visitor.ask('start', given);
    const { name } = done.document as { name?: string };
    if (!done.failed && name !== undefined) return seeOther(c, `/councils/${name}?done=start`);
    return page(site, c, visitor, filled, { problem: problemOf(done), command: commandOf(filled) });
  });
}

/** Whoever runs councils starts them here: what agents may cost is theirs. */
const ownerOnly = (visitor: Visitor) => visitor.may('extend');

function filledIn(form: URLSearchParams): Filled {
  const of = (name: string): string => form.get(name) ?? '';
  const line = (name: string): string => oneLine(of(name), 1000).trim();
  return {
    topic: line('topic'),
    name: line('name'),
    brief: of('brief'),
    options: of('options'),
    agents: form.getAll('agents'),
    mode: line('mode'),
    rule: line('rule'),
    timeout: line('timeout'),
    budget: line('budget'),
    coordinator: line('coordinator'),
  };
}

const optionsOf = ({ options }: Filled): string[] =>
  options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The input of the call; undefined where the budget is no amount. */
function givenBy(filled: Filled): Record<string, unknown> | undefined {
  const { topic, name, brief, agents, mode, rule, timeout, budget, coordinator } = filled;
  const usd = Number(budget.replace(',', '.'));
  if (budget !== '' && !(usd > 0)) return undefined;
  const option = optionsOf(filled);
  return {
    ...(topic !== '' && { topic }),
    ...(name !== '' && { name }),
    ...(brief.trim() !== '' && { brief }),
    ...(agents.length > 0 && { agents }),
    ...(mode !== '' && { mode }),
    ...(rule !== '' && { rule }),
    ...(timeout !== '' && { timeout }),
    ...(budget !== '' && { budgetUsd: usd }),
    ...(option.length > 0 && { option }),
    ...(coordinator !== '' && { coordinator: coordinator === '-' ? '' : coordinator }),
  };
}

/** The command that does the same, as a shell takes it. */
function commandOf(filled: Filled): string {
  const { topic, name, brief, agents, mode, rule, timeout, budget, coordinator } = filled;
  const one = (option: string, value: string): string[] => (value === '' ? [] : [option, shellWord(value)]);
  return [
    'council start',
    ...(topic === '' ? [] : [shellWord(topic)]),
    ...one('--name', name),
    ...one('--brief', brief.trim() === '' ? '' : 'brief.md'),
    ...one('--agents', agents.join(',')),
    ...optionsOf(filled).flatMap((option) => one('--option', option)),
    ...one('--mode', mode),
    ...one('--rule', rule),
    ...one('--timeout', timeout),
    ...one('--budget-usd', budget.replace(',', '.')),
    ...(coordinator === '-' ? ['--coordinator', "''"] : one('--coordinator', coordinator)),
  ].join(' ');
}

async function page(site: Site, c: Ctx, visitor: Visitor, filled: Filled, said: Said): Promise<Response> {
  const { w } = visitor;
  const { problem, command } = said;
  return layout(c, visitor, {
    title: w.site.startTitle,
    at: 'start',
    status: problem ? 422 : 200,
    main: html`<h1>${w.site.startTitle}</h1>
      ${await heartbeatNotice(site, visitor)}
      ${
        problem &&
        html`<div class="notice" role="alert">
          <p class="bad">${problem.detail}</p>
          ${problem.hint !== null && html`<p>${problem.hint}</p>`}
        </div>`
      }
      ${
        command !== undefined &&
        html`<section id="command" aria-labelledby="command-h">
          <h2 id="command-h">${w.site.sameCommand}</h2>
          <pre>${command}</pre>
          ${filled.brief.trim() !== '' && html`<p class="beside">${w.site.briefFile}</p>`}
        </section>`
      }
      ${form(filled, visitor, await site.looks.seatable())}`,
  });
}

type Seatable = Awaited<ReturnType<Site['looks']['seatable']>>;

function form(filled: Filled, visitor: Visitor, { agents, modes }: Seatable): Html {
  const { site } = visitor.w;
  const input = (name: 'topic' | 'name' | 'timeout' | 'budget', label: string, help?: string): Html =>
    html`<label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        value="${filled[name]}"
        ${help !== undefined && html`aria-describedby="${name}-help"`}
      />
      ${help !== undefined && html`<p id="${name}-help" class="beside">${help}</p>`}`;
  return html`<form method="post" action="/start" class="start">
    ${formTokenField(visitor)} ${input('topic', site.question)} ${input('name', site.name, site.nameHelp)}
    <label for="brief">${site.brief}</label>
    <p id="brief-help" class="beside">${site.briefHelp}</p>
    <textarea id="brief" name="brief" data-drop aria-describedby="brief-help">${filled.brief}</textarea>
    <label for="options">${site.options}</label>
    <textarea id="options" name="options" class="few" aria-describedby="options-help">
${filled.options}</textarea>
    <p id="options-help" class="beside">${site.optionsHelp}</p>
    <fieldset>
      <legend>${site.who}</legend>
      ${agents.length === 0 && html`<p>${site.noAgents}</p>`}
      ${agents.map((one) => agentBox(one, filled, visitor))}
      <p class="beside">${site.trustFirst}</p>
    </fieldset>
    <div class="row">
      ${select('coordinator', site.coordinator, filled, [['', site.usual], ['-', site.nobody], ...agents.map(({ id, title }): [string, string] => [id, title])])}
      ${select('mode', site.mode, filled, [['', 'debate'], ...modes.filter((name) => name !== 'debate').map((name): [string, string] => [name, name])])}
      ${select('rule', site.rule, filled, [['', site.ofTheMode], ...TABLE.rule.choices.map((name): [string, string] => [name, name])])}
      <div>${input('timeout', site.timeout)}</div>
      <div>${input('budget', site.budget)}</div>
    </div>
    <p>
      <button name="do" value="show">${site.showCommand}</button>
      <button name="do" value="start">${site.startNow}</button>
    </p>
  </form>`;
}

function agentBox(
  { id, emoji, title, isPerson, costUsd }: Seatable['agents'][number],
  filled: Filled,
  { w, lang }: Visitor,
): Html {
  const { site } = w;
  const cost =
    costUsd === null ? site.costUnknown : fill(site.costsLately, { cost: figure(costUsd, { w, lang }) });
  return html`<label>
    <input type="checkbox" name="agents" value="${id}" ${filled.agents.includes(id) && 'checked'} />
    ${oneLine(`${emoji} ${title}`, 80)} <span class="beside">${id}, ${isPerson ? site.aPerson : cost}</span>
  </label>`;
}

const select = (
  name: 'coordinator' | 'mode' | 'rule',
  label: string,
  filled: Filled,
  choices: readonly [string, string][],
): Html =>
  html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${choices.map(([value, shown]) => html`<option value="${value}" ${value === filled[name] && 'selected'}>${shown}</option>`)}
    </select>
  </div>`;
