// The visitor of a page: who they are, their language, and what they may ask for.
import { formattedOnce } from '../../page/use/html-cache.ts';
import { performSent, checkCallAccess } from '../../remote/call-access.ts';
import { getCallDefinition } from '../../remote/calls.ts';
import type { CallName } from '../../remote/calls.ts';
import type { Host } from '../../remote/host.ts';
import type { Caller, Done } from '../../remote/perform-call.ts';
import { LANGUAGES, loadPageWords } from '../../../core/base/words/words.ts';
import type { Language, Words } from '../../../core/base/words/words.ts';
import { trustSanitizedHtml } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { MarkdownText } from '../../page/markdown/markdown-text.ts';
import type { Ctx } from '../context.ts';

export interface Visitor {
  /** Undefined on the pages that are there for strangers. */
  caller: Caller | undefined;
  lang: Language;
  w: Words;
  /** What every form has to bring along; empty for strangers. */
  formToken: string;
  /**
   * Makes a call of the API as the visitor: the same check of what they may. What only reads, and little, is done in this
   * process. Never throws.
   */
  ask(name: CallName, given: Record<string, unknown>): Promise<Done>;
  /** The HTML of people's texts, each formatted once. */
  format(texts: readonly MarkdownText[]): Promise<(text: MarkdownText) => Html>;
  /** Why they may not make a call, by the same check; undefined where they may. For what is looked at without one. */
  may(name: CallName): Done | undefined;
}

async function formatTexts(texts: readonly MarkdownText[]): Promise<(text: MarkdownText) => Html> {
  const formatted = await formattedOnce(texts);
  return (text) => trustSanitizedHtml(formatted(text));
}

/** The language that a browser asks for, among ours. */
export function chooseLanguage(accepted: string | undefined): Language {
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

/** A stranger: the language alone is known. */
export function createStranger(c: Ctx): Visitor {
  const lang = chooseLanguage(c.req.header('accept-language'));
  const nothing: Done = { document: {}, failed: true, code: 'forbidden' };
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

/** A visitor who was let in. */
export const createVisitor = (
  c: Ctx,
  { host }: { host: Host },
  caller: Caller,
  formToken: string,
): Visitor => ({
  ...createStranger(c),
  caller,
  formToken,
  may: (name) => checkCallAccess({ name, input: {}, caller, via: 'api' }, getCallDefinition(name).roles),
  ask: (name, given) =>
    performSent(
      getCallDefinition(name).readOnly && host.here ? { ...host, perform: host.here } : host,
      { name, given, caller, via: 'api' },
      c.req.raw.signal,
    ),
});
