// Councils that an agent has asked: they run in the background, and several calls may wait for one.
import { setTimeout as delay } from 'node:timers/promises';
import { describeSeat } from '../../core/app/coordinator.ts';
import { nameAfterQuestion } from '../../core/app/question.ts';
import type { Raw } from '../../core/app/input/fields.ts';
import type { StateDocument } from '../../core/app/state-document.ts';
import { awaited } from '../../core/app/state-document.ts';
import type { Host } from '../remote/host.ts';
import type { Caller, CallOutcome } from '../remote/perform-call.ts';

/** Milliseconds: clients give up on a call after a minute. */
const WAITING = { comeBack: 50_000, look: 3000 };
const NEVER = new AbortController().signal;

/** A council played here. */
export interface AskedCouncil {
  name: string;
  /** Its result; not set while it is running. */
  done?: CallOutcome;
  ended: Promise<CallOutcome>;
}

export interface WaitingCall {
  /** Aborted if the call is cancelled or its client disconnects. */
  gone: AbortSignal;
  report(line: string): void;
}

export interface AskedCouncils {
  /** Starts a council, or joins the caller's running one with the same question. */
  ask(caller: Caller, input: { topic: string } & Raw): Promise<AskedCouncil>;
  /** Plays an active council that this process does not play yet. */
  resume(caller: Caller, name: string): AskedCouncil;
  find(caller: Caller, name?: string): AskedCouncil | undefined;
  /** Finds the active council with this name, or without a name the newest. */
  findActive(caller: Caller, name?: string): Promise<StateDocument | undefined>;
  /** Waits up to 50 s for its end and reports progress; returns the last report. */
  wait(caller: Caller, council: AskedCouncil, waiting: WaitingCall): Promise<string>;
}

/** Manages the councils asked by MCP clients. `comeBack` and `look` are milliseconds. */
export function createAskedCouncils(
  host: Pick<Host, 'perform' | 'performDetached'>,
  { comeBack, look: pause } = WAITING,
): AskedCouncils {
  /** By caller; the last one asked comes last. */
  const all = new Map<string, (AskedCouncil & { key: string })[]>();
  const listOwn = ({ role, id = '', participant = '' }: Caller) => {
    const owner = JSON.stringify([role, id, participant]);
    const own = all.get(owner) ?? [];
    all.set(owner, own);
    return own;
  };
  const play = (caller: Caller, name: string, call: { name: 'ask' | 'run'; input: Raw; key: string }) => {
    const { key, ...what } = call;
    const asked = { ...what, caller, via: 'mcp' } as const;
    const ended = host.performDetached?.(asked) ?? host.perform(asked, NEVER);
    const council: AskedCouncil & { key: string } = { name, key, ended };
    void ended.then((done) => (council.done = done));
    listOwn(caller).push(council);
    return council;
  };
  const listStates = async (caller: Caller, input: Raw): Promise<StateDocument[]> => {
    const { document } = await host.perform({ name: 'status', input, caller }, NEVER);
    return (document as { councils?: StateDocument[] }).councils ?? [];
  };
  const findActive = async (caller: Caller, name?: string): Promise<StateDocument | undefined> =>
    (await listStates(caller, name === undefined ? {} : { name })).reduce<StateDocument | undefined>(
      (newest, one) => (newest && newest.createdAt > one.createdAt ? newest : one),
      undefined,
    );
  return {
    findActive,
    async ask(caller, input) {
      const key = JSON.stringify(input);
      const active = await listStates(caller, {});
      const own = listOwn(caller);
      const going = own.find((one) => one.key === key && !one.done);
      if (going) return going;
      const taken = new Set([...active, ...own].map(({ name }) => name));
      const name = nameAfterQuestion(input.topic, taken);
      return play(caller, name, { name: 'ask', input: { ...input, name }, key });
    },
    resume: (caller, name) => play(caller, name, { name: 'run', input: { name, resume: true }, key: name }),
    find: (caller, name) => listOwn(caller).findLast((one) => name === undefined || one.name === name),
    async wait(caller, council, { gone, report }) {
      const timer = new AbortController();
      const until = AbortSignal.any([gone, timer.signal, AbortSignal.timeout(comeBack)]);
      let line = 'It is being opened.';
      const look = async (): Promise<void> => {
        while (!until.aborted && !council.done) {
          const now = await findActive(caller, council.name);
          if (now) report((line = describeProgress(now)));
          await delay(pause, undefined, { signal: until }).catch(() => undefined);
        }
      };
      const over = new Promise<void>((resolve) =>
        until.addEventListener('abort', () => resolve(), { once: true }),
      );
      void look();
      await Promise.race([council.ended, over]);
      timer.abort();
      return line;
    },
  };
}

/** Describes a council's progress: "COLLECT: 2 of 3, waiting for ana". */
export function describeProgress(state: StateDocument): string {
  const waitedFor = awaited(state);
  const all = state.currentPhase === 'SYNTHESIZE' ? 1 : state.order.length;
  const names = waitedFor.map((id) => describeSeat({ ...state, lang: 'en' }, id));
  const whom = names.length > 0 ? `, waiting for ${names.join(', ')}` : '';
  return `${state.currentPhase}: ${all - waitedFor.length} of ${all}${whom}`;
}
