// Specs of the commands that agents and cron call again and again (data).
import { searchFields } from '../core/app/input/archive.ts';
import {
  respondFields,
  runFields,
  statusFields,
  tickFields,
  viewFields,
  waitFields,
} from '../core/app/input/council.ts';
import { createCommand } from '../core/cli/spec.ts';

export const respond = createCommand({
  name: 'respond',
  fields: respondFields,
  summary: 'contribute to the open phase, word for word',
  examples: [
    'council respond henry --file answer.md',
    'echo "Buy it." | council respond henry --agree',
    'council respond sage --block "No rollback plan" --file sage.md',
  ],
  load: async () => (await import('../core/cli/commands/respond.ts')).performRespond,
});

export const view = createCommand({
  name: 'view',
  fields: viewFields,
  summary: 'what a participant may see now: the prompt it would get',
  examples: ['council view henry', 'council view henry --full', 'council view henry --json | jq -r .prompt'],
  load: async () => (await import('../core/cli/commands/read.ts')).performView,
});

export const status = createCommand({
  name: 'status',
  fields: statusFields,
  summary: 'where the active councils stand',
  details: 'Of more than 50 councils it tells each in one line; with --json or --name, all there is to tell.',
  examples: ['council status', 'council status --name billing --json'],
  load: async () => (await import('../core/cli/commands/status.ts')).performStatus,
});

export const wait = createCommand({
  name: 'wait',
  fields: waitFields,
  summary: 'wait for a turn, a phase or the end of a council',
  examples: [
    'council wait --for turn:henry --timeout 1h && council view henry',
    'council wait --for phase:RESOLVE',
  ],
  load: async () => (await import('../core/cli/commands/status.ts')).performWait,
});

export const tick = createCommand({
  name: 'tick',
  fields: tickFields,
  summary: 'one pass of the heartbeat: close, launch, wait, record',
  examples: ['council tick', 'council tick --no-launch --json', 'council tick --until-idle'],
  load: async () => (await import('../core/cli/commands/tick.ts')).performTick,
});

export const search = createCommand({
  name: 'search',
  fields: searchFields,
  summary: 'find words and "phrases" in all archives and reports',
  examples: ['council search rollback', 'council search \'"feature flags" rollout\''],
  load: async () => (await import('../core/cli/commands/search.ts')).performSearch,
});

export const run = createCommand({
  name: 'run',
  fields: runFields,
  summary: 'start a council and play it to the archive',
  details:
    'Starts a council, launches its agents phase by phase, waits for people until the deadline, and prints the synthesis and the path of the archive. Without agents of your own, those found on PATH take part, or the offline panel. --agents takes ids, a program with a model (claude:opus), a provider with one (mistral/mistral-large-latest), and a persona behind either (gemini@skeptic): for what has no file yet, agents/ID.md is written. Different models help most: in 880 public debates four roles of one model were right in 69 %, one plain answer in 76 %. Ctrl-C leaves the council where it is: run --resume or tick goes on.',
  examples: [
    'council run "Should we adopt feature flags?" --agents henry,sage,nova --coordinator maman',
    'council run "Is this queue safe to restart?" --file src/queue.ts --file "docs/**/*.md" --diff main..HEAD',
    'council run "Do we move to Kubernetes?" --agents claude:opus,codex,gemini@skeptic',
    'council run "Do we move to Kubernetes?" --table architecture',
    'council run --brief design.md --dry-run',
    'council run --panel offline --brief design.md',
    'council run --resume',
  ],
  load: async () => (await import('../core/cli/commands/run.ts')).performRun,
});
