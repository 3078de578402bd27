import type { OptionSpec } from './spec.ts';
import { RULES } from '../council/state/choices.ts';

/** What `start` and `run` take to open a council. */
export const TABLE: OptionSpec[] = [
  {
    flags: '--mode <mode>',
    values: ['debate', 'prd', 'analysis', 'review', 'synthesis'],
    help: 'debate, prd, analysis, review, synthesis, or one of modes/ (default: debate)',
  },
  { flags: '--agents <ids>', help: 'participants, separated by commas (default: those of agents/)' },
  {
    flags: '--panel <panel>',
    values: ['offline'],
    help: 'a ready-made table: offline (four reviewers that need no model)',
  },
  {
    flags: '--coordinator <id>',
    help: 'who writes the synthesis (default: that of COUNCIL.md, else nobody)',
  },
  { flags: '--brief <file>', help: 'the question and its context; - for stdin' },
  { flags: '--timeout <duration>', help: 'how long a phase may last: 30m, 1h, 2d' },
  { flags: '--budget-usd <n>', help: 'launch nobody once so many US$ are used up (default: no limit)' },
  {
    flags: '--budget-tokens <n>',
    help: 'launch nobody once so many tokens, input and output, are used up (default: no limit)',
  },
  { flags: '--lang <lang>', values: ['en', 'fr'], help: 'en or fr' },
  {
    flags: '--option <option>',
    help: 'an option that may be decided on; may be repeated (or options: in the brief)',
    repeat: true,
  },
  { flags: '--rule <rule>', values: RULES, help: `${RULES.join(', ')} (default: the mode's)` },
  { flags: '--veto <ids>', help: 'whose blocking issue cannot be outvoted, separated by commas' },
  {
    flags: '--recuse <id:why>',
    help: 'exclude a participant from the vote, with the reason; may be repeated',
    repeat: true,
  },
  { flags: '--weighted', help: 'count each vote as its stated confidence' },
  { flags: '--repeat <n>', help: "play CHALLENGE and RESOLVE up to n times (default: the mode's)" },
  { flags: '--force-challenge', help: 'play CHALLENGE and RESOLVE also after blind unanimity' },
  { flags: '--no-advocate', help: 'ask nobody for the case against after blind unanimity' },
  {
    flags: '--identity <identity>',
    values: ['open', 'token'],
    help: 'open (default), or token: everybody needs their own token',
  },
  { flags: '--open', help: 'without blindness: contributions to COLLECT are visible at once' },
  {
    flags: '--trust',
    help: 'trust what is seated here to run, without being asked (see council trust)',
  },
];
