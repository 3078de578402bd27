import { cutFrontMatter } from '../../base/front-matter-block.ts';

/**
 * A contribution as views show it: without the `confidence` of its front matter, so that nobody follows the most
 * assured voice. All else stays as it is, and so does the same word outside the front matter.
 */
export function withoutConfidence(text: string): string {
  const block = cutFrontMatter(text);
  if (!block || !/confidence/i.test(block.yaml)) return text;
  const { yaml, start } = block;
  return text.slice(0, start) + withoutKey(yaml) + text.slice(start + yaml.length);
}

const KEY = /^[ \t]*(?:\?[ \t]+)?(["']?)confidence\1[ \t]*(?::.*)?$/i;

function withoutKey(yaml: string): string {
  // A mapping in braces may have all its keys on one line.
  if (/^\s*\{/.test(yaml)) return yaml.replace(/(["']?)\bconfidence\1[ \t]*:[^,}\n]*,?[ \t]*/gi, '');
  const lines = yaml.split(/(?<=\n)/);
  const depthOf = (line: string) => line.search(/\S/);
  // Lines further right than the mapping's first key belong to a value.
  const base = depthOf(lines.find((line) => /^\s*[^\s#]/.test(line)) ?? '');
  let dropping = false;
  return lines
    .filter((line) => {
      const depth = depthOf(line);
      if (depth === -1) return true;
      dropping =
        (dropping && (depth > base || /^\s*[-:]/.test(line))) || (depth === base && KEY.test(line.trimEnd()));
      return !dropping;
    })
    .join('');
}
