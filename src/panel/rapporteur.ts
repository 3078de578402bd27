// Offline panel: the coordinator's synthesis.
import { oneLine } from '../base/text.ts';
import { casesOf, voicesOf } from './docket.ts';
import type { Case, Voice } from './docket.ts';
import { SEVERITIES, bySeverity } from './finding.ts';
import type { Severity } from './finding.ts';
import { majority, SCALE } from './position.ts';
import type { Position } from './position.ts';
import type { View } from './view.ts';
import { count, perRule, severities } from './wording.ts';

const VERDICT: Record<Position, string> = {
  approve: 'The text is approved',
  'minor-changes': 'Minor changes are wanted',
  'major-changes': 'Major changes are wanted',
  abstain: 'Nobody could judge it',
};
const HEADINGS: Record<Severity, string> = {
  major: 'Change first',
  minor: 'Change when you can',
  note: 'Worth a look',
};

/** The coordinator's synthesis: the reviewers' findings merged, with what became of the challenged ones. */
export function synthesize(view: View): string {
  const cases = casesOf(view);
  const voices = voicesOf(view);
  const by = (outcome: Case['outcome']): Case[] => cases.filter((one) => one.outcome === outcome);
  const standing = by('stands');
  const contested = by('contested');
  const withdrawn = by('withdrawn');
  const blocking = voices.flatMap(({ name, blocking }) => blocking.map((issue) => `- ${name}: ${issue}`));
  const sections = [
    verdict(voices, standing, contested, withdrawn),
    section('Blocking', blocking),
    ...SEVERITIES.map((severity) =>
      section(HEADINGS[severity], merge(standing.filter(({ finding }) => finding.severity === severity))),
    ),
    section('Still contested', disputes(contested)),
    section('Withdrawn', disputes(withdrawn)),
    section('Positions', voices.map(positions)),
    section('Not listed one by one', unlisted(view)),
    section('Said in free words', voices.flatMap(free)),
    '*This synthesis was put together by a program that counts and sorts. It judges how the text is written: not whether what it says is right, and it answers no question.*',
  ];
  return `${sections.filter((part) => part !== '').join('\n\n')}\n`;
}

const inOrder = (a: Case, b: Case): number => bySeverity(a.finding, b.finding);
const section = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `## ${title}\n\n${items.join('\n')}`;

function verdict(
  voices: readonly Voice[],
  standing: readonly Case[],
  contested: readonly Case[],
  withdrawn: readonly Case[],
): string {
  if (voices.length === 0) return 'Nobody contributed, so there is nothing to put together.';
  const last = voices.flatMap(({ positions }) => positions.at(-1)?.position ?? []);
  const wanted =
    majority(last) ??
    (last.length > 0 && last.every((position) => position === 'abstain') ? 'abstain' : undefined);
  const share =
    wanted === undefined || wanted === 'abstain'
      ? ''
      : ` (${wantedBy(wanted, last)} of ${voices.length} ${wanted === 'approve' ? 'approve' : 'want at least that'})`;
  const found = standing.map(({ finding }) => finding);
  const facts = [
    found.length === 0
      ? 'no finding stands'
      : `${count(found.length, 'finding')} ${found.length === 1 ? 'stands' : 'stand'} (${severities(found)})`,
    contested.length === 0
      ? ''
      : `${contested.length} ${contested.length === 1 ? 'is' : 'are'} still contested`,
    withdrawn.length === 0 ? '' : `${withdrawn.length} ${withdrawn.length === 1 ? 'was' : 'were'} withdrawn`,
  ];
  return `**${wanted === undefined ? 'No common position' : VERDICT[wanted]}**${share}: ${facts.filter((fact) => fact !== '').join(', ')}.`;
}

const wantedBy = (wanted: Position, last: readonly string[]): number =>
  wanted === 'approve'
    ? last.filter((position) => position === wanted).length
    : last.filter(
        (position) =>
          SCALE.findIndex((step) => step === position) >= SCALE.findIndex((step) => step === wanted),
      ).length;

/** One item for each stretch of text, however many reviewers name it. */
function merge(cases: readonly Case[]): string[] {
  const groups = new Map<string, Case[]>();
  for (const one of [...cases].sort(inOrder)) {
    const { line, subject, rule } = one.finding;
    const key = subject === '' ? `${line} ${rule}` : `${line} ${subject.toLowerCase()}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (!first) return '';
    const remarks = group.map(
      ({ finding, owner }) => `${instead(finding.instead)}${finding.advice} (${owner}, \`${finding.rule}\`)`,
    );
    const { line, subject, quote } = first.finding;
    return `- Line ${line}${subject === '' ? '' : `, "${subject}"`}: ${[...new Set(remarks)].join(' Also: ')}${quote === '' ? '' : `\n  > ${quote}`}`;
  });
}

const instead = (words: readonly string[]): string =>
  words.length === 0 ? '' : `${words.map((one) => (one === '' ? 'drop it' : `"${one}"`)).join(' or ')}; `;

/** One item for each question that was argued, however many lines it came up on. */
function disputes(cases: readonly Case[]): string[] {
  const groups = new Map<string, Case[]>();
  for (const one of [...cases].sort(inOrder)) {
    const key = [one.owner, one.finding.rule, one.finding.subject.toLowerCase(), argument(one)].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (!first) return '';
    const { subject, rule, quote } = first.finding;
    const lines = group.map(({ finding }) => finding.line);
    const where = `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.join(', ')}${subject === '' ? '' : `, "${subject}"`}`;
    return `- ${where} (${first.owner}, \`${rule}\`)${quote === '' ? '' : `\n  > ${quote}`}${argument(first)}`;
  });
}

function argument({ challenges, answers }: Case): string {
  const said = challenges.map(({ words, reason }) => `\n  - challenged (\`${reason}\`): ${words}`);
  const answered =
    answers.length === 0
      ? ['\n  - no answer']
      : answers.map(({ kind, words }) => `\n  - ${kind.toLowerCase()}: ${words}`);
  return [...said, ...answered].join('');
}

/** Anybody can write in a reviewer's form, so the label stands beside the name that a contribution gives itself. */
const called = ({ name, label }: Voice): string =>
  label.includes(name) ? name : `${name} (${oneLine(label, 80)})`;

function positions(voice: Voice): string {
  const { positions } = voice;
  const steps = positions.filter(({ position }, index) => position !== positions[index - 1]?.position);
  if (steps.length === 0) return `- ${called(voice)}: none stated`;
  return `- ${called(voice)}: ${steps.map(({ position, phase }, index) => (index === 0 ? position : `${position} (since ${phase})`)).join(' → ')}`;
}

const free = ({ name, free }: Voice): string[] =>
  free.map(
    ({ phase, opening, characters }) => `- ${name}, ${phase} (${count(characters, 'character')}): ${opening}`,
  );

/** What the reviewers counted instead of listing. */
function unlisted(view: View): string[] {
  const rules: { rule: string }[] = [];
  for (const { phase, text } of view.contributions) {
    if (phase !== 'COLLECT') continue;
    const line = /^Not listed: [\d,]+ more findings? \((.{1,2000})\)\.$/m.exec(text)?.[1] ?? '';
    for (const [, rule = '', number = '0'] of line.matchAll(/`([a-z][a-z0-9-]{0,60})` (\d{1,5})/g)) {
      for (let index = 0; index < Number(number); index += 1) rules.push({ rule });
    }
  }
  return rules.length === 0
    ? []
    : [`- ${count(rules.length, 'more finding')} of the same rules: ${perRule(rules)}.`];
}
