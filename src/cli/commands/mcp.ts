import { readFileSync } from 'node:fs';
import { CouncilError } from '../../base/errors.ts';
import { forTerminal, printableJson } from '../../base/terminal.ts';
import type { Call, Caller, Done, Host, UseCaseName } from '../../mcp/host.ts';
import { runCall } from '../../app/call-process.ts';
import { checkInput } from '../check-input.ts';
import { hiderOf } from '../../app/hidden-folders.ts';
import { holderFinder } from '../../app/holders.ts';
import { processCli } from '../io.ts';
import type { Cli } from '../io.ts';
import { asCouncilError, errorDocument } from '../print.ts';
import type { Command, CommandSpec } from '../spec.ts';
import { writeOut } from '../stdout.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** The commands that may be called as tools, by name. */
type Commands = CommandSpec[];

/** What belongs to whoever started the server, and must not stand for those who reach it over HTTP. */
const OWN = ['COUNCIL_TOKEN', 'COUNCIL_PARTICIPANT', 'COUNCIL_NAME', 'COUNCIL_TOUR'];

/** `council mcp`: the commands as tools for agents, over stdio or HTTP. */
export const mcpOf =
  (commands: Commands): Command =>
  async (cli, _args, options) => {
    if (options.http === undefined) {
      const { serveStdio } = await import('../../mcp/stdio.ts');
      const ending = new AbortController();
      const stop = AbortSignal.any([cli.interruption(), ending.signal]);
      const here = hidingNotes(cli);
      // The server belongs to its one client: what that client cancels, or leaves behind, ends.
      const host = hostOf(here, stop, (asked, gone) =>
        performCall(here, commands, asked, AbortSignal.any([gone, stop])),
      );
      await serveStdio(host, await callerOnStdio(cli, host));
      ending.abort();
      await host.idle();
      return NOTHING;
    }
    const port = portOf(options.http);
    const { serveHttp } = await import('../../mcp/http.ts');
    const { newServerToken } = await import('../../mcp/bearer.ts');
    const given = cli.env.COUNCIL_MCP_TOKEN;
    const token = given ? strongEnough(given) : newServerToken();
    const env = Object.fromEntries(Object.entries(cli.env).filter(([name]) => !OWN.includes(name)));
    const here = { ...cli, env };
    const stop = cli.interruption();
    const host = hostOf(
      here,
      stop,
      lastingTicks((asked, gone) => launchCall(here, asked, gone, stop)),
    );
    const { url, closed } = await serveHttp(host, port, token);
    // A token that was given is known, and does not belong on a screen.
    const shown = given ? '$COUNCIL_MCP_TOKEN' : token;
    cli.note(`council's MCP server listens on ${url} until Ctrl-C. For example:`);
    cli.note(`  claude mcp add --transport http council ${url} --header "Authorization: Bearer ${shown}"`);
    await closed;
    await host.idle();
    return NOTHING;
  };

const NOTHING = { json: undefined, text: '' };

function portOf(flag: unknown): number {
  const port = Number(flag);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && String(flag).trim() !== '') return port;
  throw new CouncilError('usage', `Not a port: ${JSON.stringify(flag)}.`, {
    hint: 'Give a number from 1 to 65535, or 0 for any that is free: council mcp --http 7411',
  });
}

/** Who guesses the token of the server may launch programs; and one with a space in it could never be sent. */
function strongEnough(token: string): string {
  if (/^\S{16,}$/.test(token)) return token;
  throw new CouncilError('usage', 'COUNCIL_MCP_TOKEN must have 16 characters or more, and no space.', {
    hint: 'Make one: export COUNCIL_MCP_TOKEN=$(openssl rand -hex 32), or leave it unset.',
  });
}

/** Who a client on stdio is: the participant whose token the environment holds, or whoever started the server. */
async function callerOnStdio({ env }: Cli, host: Host): Promise<Caller> {
  const { COUNCIL_PARTICIPANT: participant, COUNCIL_NAME: council, COUNCIL_TOKEN: token } = env;
  if (!token) return { participant: participant || undefined, bound: false };
  // What the environment says besides must fit the token: the refusal says so at the first call.
  const holder = await host.holder(token);
  return {
    participant: participant || holder?.participant,
    council: council || holder?.council,
    token,
    bound: true,
  };
}

/** Notes go to whoever started the server: with a participant's token, that is the participant. */
const hidingNotes = (cli: Cli): Cli =>
  cli.env.COUNCIL_TOKEN ? { ...cli, note: (line) => cli.note(hiderOf(cli)({ error: line }).error) } : cli;

/** A call with its caller, as one document. */
interface Asked {
  name: UseCaseName;
  call: Call;
  caller: Caller;
}

/** Calls that change nothing: they end with their caller, and when they take too long. */
const READS = new Set<UseCaseName>(['list', 'view', 'status', 'search', 'show', 'export']);
/** Milliseconds. A tick takes as long as the agents take. */
function timeLimitOf({ name, caller }: Asked): number | undefined {
  if (name === 'tick') return undefined;
  return READS.has(name) && caller.bound ? 15_000 : 120_000;
}

/** The host of a server, and when the calls it has begun are over (a tick that is stopped gives its leases back). */
function hostOf(cli: Cli, stop: AbortSignal, perform: Performing): Host & { idle(): Promise<unknown> } {
  const going = new Set<Promise<Done>>();
  const holder = holderFinder(cli);
  return {
    version: manifest.version,
    note: cli.note,
    stop,
    idle: () => Promise.allSettled(going),
    perform(name, call, caller, gone) {
      const performing = perform({ name, call, caller }, gone);
      going.add(performing);
      void performing.finally(() => going.delete(performing));
      return performing;
    },
    async holder(token) {
      const found = await holder(token);
      return found && { ...found, token, bound: true };
    },
  };
}

type Performing = (asked: Asked, gone: AbortSignal) => Promise<Done>;

/** A tick outlives its caller, and whoever calls it again meanwhile waits for the one that runs. */
function lastingTicks(perform: Performing): Performing {
  const ticks = new Map<string, Promise<Done>>();
  return (asked, gone) => {
    if (asked.name !== 'tick') return perform(asked, gone);
    const key = JSON.stringify(asked.call);
    const running = ticks.get(key);
    if (running) return running;
    const ticking = perform(asked, gone).finally(() => ticks.delete(key));
    ticks.set(key, ticking);
    return ticking;
  };
}

/** Performs a call in a process of its own, so that nobody waits while it computes. */
async function launchCall(cli: Cli, asked: Asked, gone: AbortSignal, stop: AbortSignal): Promise<Done> {
  const timeoutMs = timeLimitOf(asked);
  const ended = await runCall({
    cwd: cli.cwd,
    env: cli.env,
    input: JSON.stringify({ ...asked, root: cli.root }),
    timeoutMs,
    gone: READS.has(asked.name) ? gone : undefined,
    stop,
    note: cli.note,
  });
  if ('stdout' in ended) {
    const { cpuMs, ...done } = JSON.parse(ended.stdout) as Done & { cpuMs: number };
    return { ...done, used: { cpuMs, bytes: ended.stdout.length } };
  }
  const message = {
    timed_out: `${asked.name} took longer than ${(timeoutMs ?? 0) / 1000} s and was ended.`,
    interrupted: `${asked.name} was interrupted.`,
    failed: `${asked.name} ended without an answer (${ended.why}).`,
  }[ended.failed];
  const used = { cpuMs: ended.failed === 'timed_out' ? (timeoutMs ?? 0) : 0, bytes: 0 };
  const refusal = refusalOf(new CouncilError(ended.failed, message, { hint: 'See: council doctor' }));
  return { ...hiding(cli, asked.caller, refusal), used };
}

/** The other side of `launchCall`: one call from stdin, its result on stdout. */
export async function answerCall(commands: Commands): Promise<void> {
  const { root, ...asked } = JSON.parse(readFileSync(0).toString('utf8')) as Asked & {
    root: string | undefined;
  };
  const cli = processCli({ json: true, root });
  const done = await performCall(cli, commands, asked, cli.interruption());
  const { user, system } = process.cpuUsage();
  writeOut(printableJson({ ...done, cpuMs: (user + system) / 1000 }));
}

/** The surroundings of one call: JSON, no terminal, its text for stdin, and the caller's token. */
function cliFor(cli: Cli, { text = '' }: Call, { token }: Caller, signal: AbortSignal): Cli {
  return {
    ...cli,
    env: token === undefined ? cli.env : { ...cli.env, COUNCIL_TOKEN: token },
    via: 'mcp',
    json: true,
    live: false,
    startedAt: Date.now(),
    stdin: async () => Buffer.from(text),
    show: () => undefined,
    paint: (_style, unpainted) => unpainted,
    interruption: () => signal,
    ask: undefined,
  };
}

/** A call as its command performs it; the one place where a result leaves for its caller. */
async function performCall(
  own: Cli,
  commands: Commands,
  { name, call, caller }: Asked,
  signal: AbortSignal,
): Promise<Done> {
  const cli = cliFor(own, call, caller, signal);
  try {
    const spec = commands.find((command) => command.name === name);
    if (!spec) throw new CouncilError('failed', `There is no command ${name} behind that tool.`);
    checkInput(spec, { ...call, env: cli.env, isOwnCommandLine: false });
    const { json, text, exitCode = 0 } = await (await spec.load())(cli, call.args, call.options);
    return hiding(cli, caller, { document: json, text: forTerminal(text), failed: exitCode !== 0 });
  } catch (thrown) {
    return hiding(cli, caller, refusalOf(asCouncilError(thrown)));
  }
}

const refusalOf = (error: CouncilError): Done => ({
  document: { error: errorDocument(error) },
  text: forTerminal(error.message),
  failed: true,
});

/** What a participant is told names no folder of this machine. */
const hiding = (cli: Cli, { bound }: Caller, done: Done): Done => (bound ? hiderOf(cli)(done) : done);
