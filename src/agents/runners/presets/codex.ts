// Preset for OpenAI Codex: command line, persona and reading its events.
import type { FailureKind } from '../speak.ts';
import type { Preset } from './preset.ts';
import { modelArgs, PROXIES, withPersona } from './preset.ts';
import { answered, failed, kindOfStatus, parseLines } from './reading.ts';

/** One argument may have 128 KiB on Linux; a longer persona goes above the prompt. */
const LONGEST_ARGUMENT = 100_000;

/** It reads by commands, which its sandbox keeps from writing: without these it has none. */
const NO_FILES = ['shell_tool', 'unified_exec', 'view_image'].flatMap((tool) => [
  '-c',
  `features.${tool}=false`,
]);

/** OpenAI's Codex. It prints one event on each line; a failed turn says so in the last of them. */
export const codex: Preset = {
  program: 'codex',
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  secrets: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'OPENAI_API_KEY'],
  settings: [...PROXIES, 'CODEX_HOME', 'CODEX_CA_CERTIFICATE', 'OPENAI_BASE_URL'],
  plan: ({ agent, system, input, reads, writes = false }) => {
    // A TOML string: JSON's escapes are among TOML's, all but the one for DEL.
    const persona = `developer_instructions=${JSON.stringify(system).replaceAll('\u007f', '\\u007f')}`;
    const fits = Buffer.byteLength(persona) <= LONGEST_ARGUMENT;
    return {
      args: [
        ...['exec', '--json', '--ephemeral', '--skip-git-repo-check'],
        ...['-s', writes ? 'workspace-write' : 'read-only'],
        ...['-c', 'analytics.enabled=false'],
        ...(reads ? [] : NO_FILES),
        ...(system !== '' && fits ? ['-c', persona] : []),
        ...modelArgs('-m', agent),
        ...agent.args,
        '-',
      ],
      input: fits ? input : withPersona(system, input),
    };
  },
  read: ({ stdout, exitCode }) => {
    const events = parseLines(stdout);
    const last = (type: string) => events.findLast((event) => event.text('type') === type);
    const tokens = last('turn.completed')?.object('usage');
    const usage = tokens
      ? {
          model: null,
          inputTokens: tokens.number('input_tokens'),
          outputTokens: tokens.number('output_tokens'),
          costUsd: null,
        }
      : null;
    // Errors on the way are repeated attempts and warnings: only a turn that failed, or no turn, is a failure.
    const reason =
      last('turn.failed')?.object('error').text('message') ?? last('error')?.text('message') ?? null;
    if (reason !== null && (exitCode !== 0 || last('turn.failed'))) {
      return failed(kindOf(reason), reason, usage);
    }
    const said = events.findLast(
      (event) =>
        event.text('type') === 'item.completed' && event.object('item').text('type') === 'agent_message',
    );
    return answered(said?.object('item').text('text') ?? null, usage);
  },
};

function kindOf(reason: string): FailureKind {
  const status = /\bstatus:? (\d{3})\b/.exec(reason)?.[1];
  if (status !== undefined) return kindOfStatus(Number(status));
  if (/\busage limit\b|\brate limit reached\b/i.test(reason)) return 'rate-limit';
  return /\bnot logged in\b|\blog ?in again\b/i.test(reason) ? 'config' : 'failed';
}
