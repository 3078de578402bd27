// Calls for councils and archives, as data.
import { ADD, CHANGE, LAUNCH, LOOK, OTHERS, PAGES } from './call.ts';
import type { Call } from './call.ts';
import { OWNER_ROLES, TABLE_ROLES, TEAM_ROLES } from '../../core/app/app.ts';

const DECISION = {
  ...ADD,
  roles: OWNER_ROLES,
  again: 'revision',
} as const;
const DECIDE = { ...DECISION, tool: false } as const;

export const councilCalls = {
  list: {
    title: 'List archives',
    description: `The archived councils, newest first. ${PAGES}`,
    ...LOOK,
    pages: { key: 'archives', from: 'start' },
    roles: TABLE_ROLES,
    told: ({ unreadable, open }: { unreadable?: number; open?: string[] }) => ({ unreadable, open }),
  },
  start: {
    title: 'Start a council',
    description:
      'Opens a council on a question: COLLECT begins. Then call tick, which launches the agents and closes phases.',
    // Without what only the owner may set, such as trust.
    fields: [
      'topic',
      'mode',
      'agents',
      'table',
      'coordinator',
      'panel',
      'brief',
      'files',
      'diff',
      'timeout',
      'identity',
      'open',
      'name',
    ],
    more: ['piped', 'reach', 'option', 'rule', 'control', 'budgetUsd', 'budgetTokens', 'lang'],
    ...ADD,
    roles: TEAM_ROLES,
    again: 'key',
  },
  view: {
    title: "See a participant's turn",
    description: `Use it when you sit in a council and it is your turn: what you may see, and what to do. ${OTHERS}`,
    ...LOOK,
    fields: ['agent', 'full', 'name'],
    roles: TABLE_ROLES,
    who: 'agent',
    turn: true,
    hasTextPages: true,
    // In the prompt, others' texts are fenced; the rest of the document would repeat them.
    text: (document) => (document as { prompt: string }).prompt,
  },
  respond: {
    title: 'Contribute',
    description:
      'Use it in your turn, after view: contributes to the open phase, word for word. The result tells what was read; for what is missing respond again with replace.',
    fields: ['agent', 'text', 'agree', 'done', 'block', 'replace', 'name'],
    more: ['tour'],
    ...CHANGE,
    roles: TABLE_ROLES,
    again: 'key',
    who: 'agent',
    turn: true,
  },
  read: {
    title: 'Read a text',
    description:
      'What is read in a text before it is contributed: position, quotes, answers, and what is missing. Records nothing.',
    ...LOOK,
    roles: TABLE_ROLES,
    who: 'agent',
    turn: true,
  },
  status: {
    title: 'Where councils stand',
    description: `The active councils: phase, deadline, who still has to answer. ${PAGES}`,
    ...LOOK,
    pages: { key: 'councils', from: 'start' },
    roles: TEAM_ROLES,
  },
  tick: {
    title: 'Move councils on',
    description:
      'One pass: closes phases that may close, launches the agents that have to answer, waits for them, records what they say. Comes back after 20 s at the latest, while they go on: call it again until archive is set.',
    fields: ['name', 'launch', 'untilIdle'],
    more: ['why'],
    ...LAUNCH,
    roles: OWNER_ROLES,
    // Due work is done only once.
    again: 'same',
  },
  search: {
    title: 'Search archives',
    description: `Words and "phrases" in all archives and reports of agents, best first. ${PAGES} ${OTHERS}`,
    ...LOOK,
    pages: { key: 'results', from: 'start' },
    roles: TABLE_ROLES,
  },
  show: {
    title: 'Show an archive',
    description: `An archived council: decision, synthesis, every contribution. One that is long comes as Markdown, in pages, and says so. ${OTHERS}`,
    ...LOOK,
    roles: TABLE_ROLES,
    told: (result) => (result as { page(): unknown }).page(),
    hasTextPages: true,
  },
} satisfies Record<string, Call>;

const asTable = (result: unknown): unknown => (result as { table(): string }).table();

/** Calls of the HTTP API that are not tools. */
export const councilCallsMore = {
  outcome: {
    title: 'Record what turned out',
    description:
      'Records beside an archive which position turned out to be right: its number, none, or other. A later record replaces the one before, which is kept.',
    ...CHANGE,
    roles: OWNER_ROLES,
    again: 'same',
  },
  wait: {
    title: 'Wait for something',
    description: 'Waits until a phase is open, it is the turn of somebody, or a council is archived.',
    ...LOOK,
    roles: TABLE_ROLES,
    turn: true,
    tool: false,
  },
  history: {
    title: 'See revisions',
    description: `The revisions of an active council that are kept, the newest last: when, what was done, by whom. ${PAGES}`,
    ...LOOK,
    roles: TEAM_ROLES,
    pages: { key: 'versions', from: 'end' },
  },
  ledger: {
    title: 'See claims and challenges',
    description: `The claims of a council, their challenges and what became of them. ${OTHERS}`,
    ...LOOK,
    roles: TEAM_ROLES,
    tool: false,
    told: asTable,
  },
  metrics: {
    title: 'See measures',
    description: 'Measures of a council, or of the messages between agents.',
    ...LOOK,
    roles: TEAM_ROLES,
    tool: false,
    told: asTable,
  },
  cost: {
    title: 'See what was used up',
    description: 'What councils have cost: launches, tokens and money, by agent, model, council or day.',
    ...LOOK,
    roles: TEAM_ROLES,
    tool: false,
  },
  who: {
    title: 'See who is there',
    description: 'The agents that are there, what they do, and since when.',
    ...LOOK,
    roles: TEAM_ROLES,
    tool: false,
  },
  continue: {
    ...DECISION,
    title: 'Let a council go on',
    description:
      'Lets a council go on that waits behind its blind answers for the person who asked: debate, synthesis or end, or a note. Once.',
  },
  extend: { title: 'Give more time', description: 'Gives the open phase more time.', ...DECIDE },
  excuse: {
    title: 'Excuse a participant',
    description: 'No longer waits for a participant in this phase.',
    ...DECIDE,
  },
  cancel: {
    title: 'End a council',
    description: 'Ends a council now: what was contributed is revealed and archived.',
    ...DECIDE,
  },
} satisfies Record<string, Call>;
