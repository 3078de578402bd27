// Where a sealed text is looked for that is not here.
import { oneLine } from '../base/text.ts';
import { privateRoot } from '../store/file/private-dir.ts';
import { place as here } from './app.ts';

/** `place`: the user and host by whom it was sealed. The same ones have it in another folder where HOME or XDG_STATE_HOME differ. */
export function missingTextLine(participant: string, place: string | null, env = process.env): string {
  const bring = `council reveal ${participant} --file FILE`;
  if (place !== here())
    return `The sealed text of ${participant} is not on this machine: it lies at ${oneLine(place ?? 'an unknown place')}. Bring it with: ${bring}`;
  return `The sealed text of ${participant} is not in ${privateRoot(env)}: ${here()} sealed it with another HOME or XDG_STATE_HOME, or it was taken away. Set that again, or bring it with: ${bring}`;
}
