// Exports a council as a page or a picture.
import { CouncilError } from '../../../core/base/errors.ts';
import { pageDocument } from '../document.ts';
import { buildLanes } from '../lanes/lanes.ts';
import { renderPictureFile } from '../lanes/draw.ts';
import { renderPage } from '../render.ts';
import { showWholeArchive } from '../seen-council.ts';
import { buildSeenSoFar } from '../active-council.ts';
import type { Deliberation } from '../../../core/app/find-deliberation.ts';
import { formatTexts } from './format-texts.ts';

/** Returns an HTML file, or an SVG file of how positions moved. Throws `empty_text` if there are no positions. */
export async function exportPage(found: Deliberation, format: 'html' | 'svg'): Promise<string> {
  const seen = 'council' in found ? buildSeenSoFar(found.council) : showWholeArchive(found);
  const { meta } = seen.archive;
  if (format === 'svg') {
    const lanes = buildLanes(seen.archive, !seen.underway);
    if (lanes) return renderPictureFile(lanes, meta);
    throw new CouncilError(
      'empty_text',
      `Nobody has stated a position in "${meta.name}": there is nothing to draw.`,
      {
        hint: `The rest of it: council export ${meta.id} --format html`,
      },
    );
  }
  const page = pageDocument(seen);
  const formatted = await formatTexts(page.texts);
  return renderPage(page, (text) => formatted.get(text) ?? '');
}
