// Converts the form for a new council to the input of the call, and to the equivalent command.
import { quoteShellWord, toOneLine } from '../../../core/base/text.ts';

/** The form's fields; empty if not filled in. */
export interface StartForm {
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

export const splitOptionLines = ({ options }: StartForm): string[] =>
  options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Parses US$; undefined unless above 0. A comma is accepted as a decimal point. */
export function parseBudget(budget: string): number | undefined {
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
