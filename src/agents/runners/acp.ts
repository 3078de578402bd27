// Runner for programs that speak the Agent Client Protocol.
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { isMapping } from '../fields.ts';
import { converse } from './acp-session.ts';
import { acpStream } from './acp-stream.ts';
import { GONE, usageOf } from './acp-result.ts';
import type { Told } from './acp-result.ts';
import { childEnvironment } from './environment.ts';
import { NOTHING, outcome } from './outcome.ts';
import type { Ended } from './outcome.ts';
import { expandPlaceholders } from './placeholders.ts';
import { DRAIN_MS, endProgram, startProgram, watchTurn, whyStopped } from './program.ts';
import type { Stop } from './program.ts';
import { redactedLine } from './redact.ts';
import type { Failure, Runner, SpeakRequest, SpeakResult, Usage } from './speak.ts';
import { keepLast, onWriteFailure } from './streams.ts';

/** Bytes one message of an agent may have: it may show whole files while it works. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** Bytes of all it sends that is not its answer. */
const MAX_TRAFFIC = 256 * 1024 * 1024;

/**
 * Prompts a program that speaks the Agent Client Protocol on its pipes, in a session of its own. It is launched like
 * any command; nothing is sent before its group is recorded. The answer is the text of its messages to the user.
 */
export function acpRunner(): Runner {
  return {
    speak: async (request) => {
      const started = performance.now();
      const turn = await run(request);
      return result(request, turn, Math.round(performance.now() - started));
    },
  };
}

/** What is known when the agent's turn is over. */
interface AcpEnded extends Partial<Ended> {
  told?: Told;
  usage?: Usage | null;
  /** The first line it printed that is no message. */
  noise?: string;
}

async function run(request: SpeakRequest): Promise<AcpEnded> {
  const { agent, signal, cwd } = request;
  const argv = [...agent.command, ...agent.args].map(expandPlaceholders);
  const env = childEnvironment(request.env, agent.env, request.extraEnv);
  const started = await startProgram(argv, { cwd, env, signal });
  if (!('child' in started)) return started;
  const { child, pid } = started;

  const stopping = Promise.withResolvers<Stop>();
  const watched = watchTurn(request, stopping.resolve);
  const stderr = keepLast(child.stderr, watched.alive);
  let broken: Failure | null = null;
  onWriteFailure(child.stdin, (code) => {
    broken = { kind: 'failed', reason: `the prompt could not be written: ${code}` };
  });
  let traffic = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    watched.alive();
    traffic += chunk.length;
    if (traffic > MAX_TRAFFIC) stopping.resolve('overflow');
  });
  const answer = collect(request, () => stopping.resolve('overflow'));
  let noise: string | undefined;
  const stream = acpStream(child.stdin, child.stdout, MAX_MESSAGE, {
    onNotification: (method, params) => method === 'session/update' && answer.take(params),
    onNoise: (line) => (noise ??= line),
    onFlood: () => stopping.resolve('overflow'),
  });

  const talk = async (): Promise<Told> => {
    await request.onSpawn(pid);
    return converse(await import('@agentclientprotocol/sdk'), stream, request);
  };
  let told = GONE;
  const talked = talk().then((end) => {
    told = end;
    if (end.failure !== 'gone') stopping.resolve('done');
  });
  // Thrown further down, once the group has been ended.
  talked.catch(() => stopping.resolve('refused'));
  child.nodeChildProcess.once('exit', () => setTimeout(stopping.resolve, DRAIN_MS, 'drained').unref());

  const stop = await Promise.race([child.then(() => null), stopping.promise]);
  const text = answer.text();
  watched.end();
  const ended = await endProgram(child, pid, stop);
  await talked;
  const { exitCode = null, signal: endedBy = null } = ended ? await child : {};
  return {
    told,
    usage: usageOf(told, agent.model, answer.costUsd()),
    ...(noise === undefined ? {} : { noise }),
    stdout: text,
    stderr: stderr(),
    exitCode,
    signal: endedBy,
    stoppedFor: whyStopped(stop),
    broken: ended ? broken : { kind: 'failed', reason: `process group ${pid} cannot be ended` },
  };
}

/** Collects what the agent says to the user, up to the limit, and what it says its session has cost. */
function collect({ maxOutput = MAX_CONTRIBUTION_BYTES, onOutput }: SpeakRequest, onFull: () => void) {
  const parts: Buffer[] = [];
  let size = 0;
  let cost: number | null = null;
  return {
    text: () => Buffer.concat(parts),
    costUsd: () => cost,
    take(params: unknown): void {
      const update = isMapping(params) && isMapping(params.update) ? params.update : {};
      if (update.sessionUpdate === 'usage_update' && isMapping(update.cost)) {
        const { amount, currency } = update.cost;
        if (typeof amount === 'number' && currency === 'USD') cost = amount;
      }
      if (update.sessionUpdate !== 'agent_message_chunk' || !isMapping(update.content)) return;
      if (update.content.type !== 'text') return;
      const bytes = Buffer.from(String(update.content.text));
      const kept = bytes.subarray(0, maxOutput - size);
      parts.push(kept);
      size += kept.length;
      onOutput?.(size);
      if (kept.length < bytes.length) onFull();
    },
  };
}

function result(request: SpeakRequest, turn: AcpEnded, durationMs: number): SpeakResult {
  const { told = GONE, usage = null, noise, ...ended } = turn;
  const stopped = (ended.stoppedFor ?? null) !== null || (ended.broken ?? null) !== null;
  const answered = !stopped && told.failure === null;
  // Council ends an agent that has answered, so how it ended tells nothing.
  const base = outcome(request, {
    ...NOTHING,
    ...ended,
    ...(answered ? { exitCode: 0, signal: null } : {}),
    durationMs,
  });
  if (stopped || answered) return { ...base, usage };
  const secrets = request.agent.env.map((name) => request.env[name] ?? '');
  if (told.failure !== 'gone' && told.failure !== null)
    return {
      ...base,
      ok: false,
      usage,
      failure: told.failure,
      safeReason: told.failure === 'config' ? 'wrong configuration' : 'no answer over the protocol',
      reason: redactedLine(told.reason, secrets),
    };
  const printed =
    noise === undefined ? '' : `; it printed ${JSON.stringify(redactedLine(noise, secrets, 80))}`;
  const ending = ended.exitCode === 0 ? 'it ended without an answer' : (base.reason ?? 'it ended');
  return {
    ...base,
    ok: false,
    usage,
    failure: base.failure ?? 'failed',
    reason: redactedLine(`${ending}${printed}`, secrets),
  };
}
