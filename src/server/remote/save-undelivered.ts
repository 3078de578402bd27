// Saves a contribution locally if a server did not accept it, even if the server saved it, too.
import { asCouncilError, CouncilError } from '../../core/base/errors.ts';
import { isId, sha256 } from '../../core/base/ids.ts';
import type { Kept } from '../../core/council/state/state.ts';
import { privateDir, privateRoot } from '../../core/store/file/private-dir.ts';
import type { App, Result } from '../../core/app/app.ts';

interface UnsentContribution {
  agent: unknown;
  text: Uint8Array | undefined;
}

/** The error with the place of the contribution that it was about: here, for that outlives the server. */
export async function keptHere(app: App, thrown: unknown, said: UnsentContribution): Promise<unknown> {
  if (!(thrown instanceof CouncilError) || !said.text?.length) return thrown;
  const kept = await keep(app, said);
  const { code, message, hint, details } = thrown;
  const again = code === 'unreachable' && typeof kept === 'string';
  return new CouncilError(code, message, {
    ...(hint !== undefined && { hint: again ? `${hint} Sending it again is safe: --file ${kept}` : hint }),
    details: { ...details, kept },
    cause: thrown,
  });
}

/** The same for a document that tells of a refusal. */
export async function refusedHere<R extends Result>(
  app: App,
  result: R,
  said: UnsentContribution,
): Promise<R> {
  if (result.failed === undefined || !said.text?.length) return result;
  return { ...result, document: { ...(result.document as object), kept: await keep(app, said) } };
}

async function keep({ env }: App, { agent, text = new Uint8Array() }: UnsentContribution): Promise<Kept> {
  const by = isId(agent) ? agent : 'nobody';
  try {
    // It belongs to no project of this machine.
    const files = privateDir({ env, projectRoot: `${privateRoot(env)}-of-no-project` });
    return await files.keep(`unsent-${by}-${sha256(text).slice(0, 16)}.md`, text);
  } catch (error) {
    return { failed: asCouncilError(error).message };
  }
}
