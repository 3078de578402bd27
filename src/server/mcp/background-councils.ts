// Councils that an agent has asked: they run in the background, and several calls may wait for one of them.
import { setTimeout as delay } from 'node:timers/promises';
import { describeSeat } from '../../core/app/coordinator.ts';
import { nameAfterQuestion } from '../../core/app/question.ts';
import type { Raw } from '../../core/app/input/fields.ts';
import type { StateDocument } from '../../core/app/state-document.ts';
import { awaited } from '../../core/app/state-document.ts';
import type { Host } from '../remote/host.ts';
import type { Caller, CallOutcome, RemoteCall } from '../remote/perform-call.ts';

/** Clients give up on a call after a minute. */
const WAITING = { maxWaitMs: 50_000, pollMs: 3000 };
const NEVER_ABORTED = new AbortController().signal;

/** A council played here. */
export interface BackgroundCouncil {
  name: string;
  /** Not set while it is running. */
  result?: CallOutcome;
  finished: Promise<CallOutcome>;
}

export interface WaitingCall {
  /** Aborted if the call is cancelled or its client disconnects. */
  gone: AbortSignal;
  report(line: string): void;
}

export interface BackgroundCouncils {
  /** Starts a council, or joins the caller's running one with the same question. */
  ask(caller: Caller, input: { topic: string } & Raw): Promise<BackgroundCouncil>;
  /** Plays an active council that this process does not play yet. */
  resume(caller: Caller, name: string): BackgroundCouncil;
  find(caller: Caller, name?: string): BackgroundCouncil | undefined;
  /** Finds the active council with this name, or without a name the newest. */
  findActive(caller: Caller, name?: string): Promise<StateDocument | undefined>;
  /**
   * Waits for its end and reports progress; returns the last report. After 50 s, or if the call is gone, it returns
   * while the council is still running.
   */
  wait(caller: Caller, council: BackgroundCouncil, waiting: WaitingCall): Promise<string>;
}

type PlayingHost = Pick<Host, 'perform' | 'performDetached'>;
type PlayCall = Pick<RemoteCall, 'name' | 'input'>;

/** Manages the councils asked by MCP clients. */
export function createBackgroundCouncils(host: PlayingHost, times = WAITING): BackgroundCouncils {
  /** By caller; the last one asked comes last. */
  const all = new Map<string, (BackgroundCouncil & { key: string })[]>();
  const listOwn = ({ role, id = '', participant = '' }: Caller) => {
    const owner = JSON.stringify([role, id, participant]);
    const own = all.get(owner) ?? [];
    all.set(owner, own);
    return own;
  };
  const play = (caller: Caller, name: string, key: string, call: PlayCall): BackgroundCouncil => {
    const council = { ...playInBackground(host, caller, name, call), key };
    void council.finished.then((result) => Object.assign(council, { result }));
    listOwn(caller).push(council);
    return council;
  };
  return {
    async ask(caller, input) {
      const key = JSON.stringify(input);
      const active = await listStates(host, caller, {});
      const own = listOwn(caller);
      const running = own.find((one) => one.key === key && !one.result);
      if (running) return running;
      const taken = new Set([...active, ...own].map(({ name }) => name));
      const name = nameAfterQuestion(input.topic, taken);
      return play(caller, name, key, { name: 'ask', input: { ...input, name } });
    },
    resume: (caller, name) => play(caller, name, name, { name: 'run', input: { name, resume: true } }),
    find: (caller, name) => listOwn(caller).findLast((one) => name === undefined || one.name === name),
    findActive: (caller, name) => findActive(host, caller, name),
    wait: (caller, council, waiting) => waitForCouncil(host, caller, council, { ...waiting, ...times }),
  };
}

function playInBackground(
  host: PlayingHost,
  caller: Caller,
  name: string,
  call: PlayCall,
): BackgroundCouncil {
  const asked = { ...call, caller, via: 'mcp' } as const;
  return { name, finished: host.performDetached?.(asked) ?? host.perform(asked, NEVER_ABORTED) };
}

async function listStates(host: PlayingHost, caller: Caller, input: Raw): Promise<StateDocument[]> {
  const { document } = await host.perform({ name: 'status', input, caller }, NEVER_ABORTED);
  return (document as { councils?: StateDocument[] }).councils ?? [];
}

async function findActive(
  host: PlayingHost,
  caller: Caller,
  name?: string,
): Promise<StateDocument | undefined> {
  const states = await listStates(host, caller, name === undefined ? {} : { name });
  return states.reduce<StateDocument | undefined>(
    (newest, one) => (newest && newest.createdAt > one.createdAt ? newest : one),
    undefined,
  );
}

async function waitForCouncil(
  host: PlayingHost,
  caller: Caller,
  council: BackgroundCouncil,
  { gone, report, maxWaitMs, pollMs }: WaitingCall & typeof WAITING,
): Promise<string> {
  const stopPolling = new AbortController();
  const until = AbortSignal.any([gone, stopPolling.signal, AbortSignal.timeout(maxWaitMs)]);
  let line = 'It is being opened.';
  const poll = async (): Promise<void> => {
    while (!until.aborted && !council.result) {
      const now = await findActive(host, caller, council.name);
      if (now) report((line = describeProgress(now)));
      await delay(pollMs, undefined, { signal: until }).catch(() => undefined);
    }
  };
  const aborted = new Promise<void>((resolve) => {
    if (until.aborted) resolve();
    else until.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([council.finished, aborted, poll()]);
  stopPolling.abort();
  return line;
}

/** Describes a council's progress: "COLLECT: 2 of 3, waiting for ana". */
export function describeProgress(state: StateDocument): string {
  const waitedFor = awaited(state);
  const all = state.currentPhase === 'SYNTHESIZE' ? 1 : state.order.length;
  const names = waitedFor.map((id) => describeSeat({ ...state, lang: 'en' }, id));
  const whom = names.length > 0 ? `, waiting for ${names.join(', ')}` : '';
  return `${state.currentPhase}: ${all - waitedFor.length} of ${all}${whom}`;
}
