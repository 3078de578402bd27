// The visitor of a page: identity, language, permissions, and sessions in memory.
import { formatTextsOnce } from '../../page/use/format-texts.ts';
import type { PageServices } from '../../page/use/page-data.ts';
import { performReceivedCall, checkCallAccess } from '../../remote/call-access.ts';
import { getCallDefinition, isLightAction } from '../../remote/calls.ts';
import type { CallName } from '../../remote/calls.ts';
import type { Host } from '../../remote/host.ts';
import type { Caller, CallOutcome } from '../../remote/perform-call.ts';
import { fill, LANGUAGES } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { html, trustSanitizedHtml } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { MarkdownText } from '../../page/markdown/markdown-text.ts';
import { isSame } from '../origin.ts';
import type { Ctx } from '../context.ts';
import { createSecret } from '../../../core/base/ids.ts';
import type { UnknownCaller } from '../../remote/token-lookup.ts';
import { LOCAL } from '../gate.ts';
import { loadPageWords } from '../../page/words.ts';
import type { PageWords } from '../../page/words.ts';

export interface Visitor {
  /** Undefined on pages that need no sign-in. */
  caller: Caller | undefined;
  /** The project's name; undefined without sign-in and at a seat. */
  project?: string | undefined;
  lang: Language;
  w: PageWords;
  /** The required token of forms; empty without sign-in. */
  formToken: string;
  /** Makes an API call as the visitor, with the same permissions. Small reads run in this process. Never throws. */
  ask(name: CallName, given: Record<string, unknown>): Promise<CallOutcome>;
  /** Formats people's texts as HTML, each only once. */
  format(texts: readonly MarkdownText[]): Promise<(text: MarkdownText) => Html>;
  /** Returns why a call is not allowed, or undefined; for data read without a call. */
  may(name: CallName): CallOutcome | undefined;
}

async function formatTexts(texts: readonly MarkdownText[]): Promise<(text: MarkdownText) => Html> {
  const formatted = await formatTextsOnce(texts);
  return (text) => trustSanitizedHtml(formatted(text));
}

/** Chooses a supported language from the browser's preferences. */
function chooseLanguage(accepted: string | undefined): Language {
  const wanted = (accepted ?? '')
    .split(',')
    .map((part, at) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const q = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { tag: tag.split('-')[0], q: q === undefined ? 1 : Number(q), at };
    })
    .filter(({ q }) => q > 0)
    .sort((one, other) => other.q - one.q || one.at - other.at);
  for (const { tag } of wanted) {
    const known = LANGUAGES.find((lang) => lang === tag);
    if (known) return known;
  }
  return 'en';
}

/** Creates a visitor who is not signed in, with only a language. */
export function createStranger(c: Ctx): Visitor {
  const lang = chooseLanguage(c.req.header('accept-language'));
  const nothing: CallOutcome = { document: {}, failed: true, code: 'forbidden' };
  return {
    caller: undefined,
    lang,
    w: loadPageWords(lang),
    formToken: '',
    ask: async () => nothing,
    may: () => nothing,
    format: formatTexts,
  };
}

export const createVisitor = (
  c: Ctx,
  { host, data }: { host: Host; data: Pick<PageServices, 'project'> },
  caller: Caller,
  formToken: string,
): Visitor => ({
  ...createStranger(c),
  caller,
  project: caller.role === 'participant' ? undefined : data.project(),
  formToken,
  may: (name) => checkCallAccess({ name, input: {}, caller, via: 'api' }, getCallDefinition(name).roles),
  ask: (name, given) =>
    performReceivedCall(
      (getCallDefinition(name).readOnly || isLightAction(name, given.action)) && host.here
        ? { ...host, perform: host.here }
        : host,
      { name, given, caller, via: 'api' },
      c.req.raw.signal,
    ),
});

/** A session, identified by the secret in a cookie. */
export interface Session {
  /** The required token of its forms. */
  formToken: string;
  /** Returns the current caller, or why the session has ended. */
  who(): Promise<Caller | UnknownCaller>;
}

export interface Sessions {
  /** Starts a session of a caller; `who` looks the caller up later. */
  begin(caller: Caller, who: Session['who']): { secret: string; session: Session };
  find(secret: string): Session | undefined;
  end(secret: string): void;
}

/** A session unused for longer requires a new sign-in. */
const UNUSED_MS = 12 * 3_600_000;
/** Maximum sessions per token or code; beyond it, the least recently used one of the same token or code ends. */
const MOST_SESSIONS = 1000;

/** Identifies a caller regardless of the way of signing in: a seat is one person, and so is this machine's owner. */
export function identifyCaller({
  role,
  id = '',
  participant,
  council = '',
  conversationId = '',
}: Caller): string {
  if (role === 'participant') return `seat ${participant} ${council} ${conversationId}`;
  return id === LOCAL_OPENER.id || id === LOCAL.id ? 'owner' : `${role} ${id}`;
}

export function describeCaller(
  { role, id = '', participant, council = '' }: Caller,
  site: PageWords['site'],
): string {
  if (role === 'participant') return fill(site.atSeat, { name: participant ?? '', council });
  if (participant !== undefined) return `${participant}, ${role}`;
  return id === LOCAL.id || id === LOCAL_OPENER.id ? site.owner : `${role} ${id}`.trim();
}

/** A session that began with a code of `council open`. */
export const LOCAL_OPENER: Caller = { role: 'admin', id: 'open' };

/** Creates sessions in this process's memory. `now` is a monotonic clock in milliseconds. */
export function createSessions(now: () => number = () => performance.now()): Sessions {
  const all = new Map<string, { session: Session; key: string; usedAt: number }>();
  const use = (secret: string, one: { session: Session; key: string }): void => {
    all.delete(secret);
    all.set(secret, { ...one, usedAt: now() });
  };
  const isUnused = ({ usedAt }: { usedAt: number }): boolean => now() - usedAt > UNUSED_MS;
  const makeRoom = (key: string): void => {
    for (const [secret, one] of all) if (isUnused(one)) all.delete(secret);
    const own = [...all].filter(([, one]) => one.key === key);
    for (const [secret] of own.slice(0, Math.max(0, own.length + 1 - MOST_SESSIONS))) all.delete(secret);
  };
  return {
    begin(caller, who) {
      const key = caller.id ?? identifyCaller(caller);
      makeRoom(key);
      const secret = createSecret();
      const session = { formToken: createSecret(), who };
      use(secret, { session, key });
      return { secret, session };
    },
    find(secret) {
      const one = all.get(secret);
      if (!one) return undefined;
      if (isUnused(one)) {
        all.delete(secret);
        return undefined;
      }
      use(secret, one);
      return one.session;
    },
    end: (secret) => void all.delete(secret),
  };
}

export const FIELD = 'form-token';

/** Renders the first child of every form that changes something. */
export const renderFormToken = ({ formToken }: Pick<Visitor, 'formToken'>): Html =>
  html`<input type="hidden" name="${FIELD}" value="${formToken}" />`;

export const isOwnForm = (form: URLSearchParams, formToken: string): boolean =>
  formToken !== '' && isSame(form.get(FIELD) ?? '', formToken);
