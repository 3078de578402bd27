// What a brief asks: its title, its first heading or sentence, or the name of its file.
import { parse as parsePath } from 'node:path';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { findForeignFrontMatter } from '../base/front-matter.ts';

/** Headings that name a section rather than a question, in the languages of decision records; without accents. */
const SECTIONS = new Set(
  [
    ...[
      'summary',
      'executive summary',
      'abstract',
      'introduction',
      'overview',
      'context',
      'background',
      'status',
    ],
    ...['motivation', 'problem', 'problem statement', 'contents', 'table of contents', 'tl;dr', 'tldr'],
    ...['resume', 'contexte', 'apercu', 'statut', 'probleme', 'sommaire'],
    ...['zusammenfassung', 'einleitung', 'einfuhrung', 'uberblick', 'kontext', 'hintergrund', 'inhalt'],
    ...['resumen', 'introduccion', 'contexto', 'estado', 'antecedentes', 'problema', 'indice'],
    ...['sommario', 'riassunto', 'introduzione', 'contesto', 'stato', 'resumo', 'introducao', 'sumario'],
    ...['samenvatting', 'inleiding', 'overzicht', 'achtergrond'],
    ...['概要', '要約', '背景', 'はじめに', '目次', '摘要', '简介', '概述', '目录'],
  ].map((name) => name.normalize('NFKC')),
);

/** Extracts the question of a brief read from `file` (- for stdin); undefined if it contains none. */
export function findTopic(brief: string, file: string): string | undefined {
  const { title, body } = cutTitle(brief.replace(/^\uFEFF/, ''));
  if (title !== undefined) return title;
  const prose = removeComments(body).replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');
  const heading = findFirstHeading(prose);
  if (heading !== undefined && !isSection(heading)) return heading;
  return (heading === undefined ? undefined : toTopicTitle(file)) ?? findFirstSentence(prose) ?? heading;
}

/** The title that stands in front matter of any kind, or in lines such as `Title: …` above the text, and the text below it. */
function cutTitle(brief: string): { title: string | undefined; body: string } {
  const text = brief.replace(/^(?:[ \t]*\r?\n)+(?=---|\+\+\+|\{)/, '');
  const block = cutFrontMatter(text);
  const foreign = block ? undefined : findForeignFrontMatter(text);
  const [head] = /^(?:[A-Z][\w-]*:(?:[ \t].*)?(?:\r?\n[ \t]+.*)*\r?\n){2,}(?=\s*\n)/.exec(text) ?? [''];
  const source = block?.yaml ?? foreign?.source ?? head;
  const found = /^[ \t]*"?title"?[ \t]*[:=][ \t]*(\S.*?),?[ \t]*\r?$/im.exec(source)?.[1];
  const title = found?.replace(/^(["'])(.*)\1$/, '$2').trim();
  return { title: title || undefined, body: block?.body ?? foreign?.body ?? text.slice(head.length) };
}

/** Scans once; an unclosed comment hides nothing. */
function removeComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4);
    if (end === -1) return kept + text.slice(from);
    kept += text.slice(from, start);
    from = end + 3;
  }
}

/** Finds the first Markdown heading of either syntax. */
function findFirstHeading(prose: string): string | undefined {
  const atx = /^ {0,3}#{1,6}[ \t]+(\S.*)$/m.exec(prose);
  const setext = /^(\S.*)\r?\n(?:=+|-+)[ \t]*\r?$/m.exec(prose);
  const first = atx && setext ? (atx.index < setext.index ? atx : setext) : (atx ?? setext);
  return (
    first?.[1]
      ?.trimEnd()
      .split(/[ \t]#+$/)[0]
      ?.trim() || undefined
  );
}

const isSection = (heading: string): boolean =>
  SECTIONS.has(
    heading
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFKC')
      .replace(/^[\d.\s]+|[\s:.]+$/g, '')
      .toLowerCase(),
  );

/** Converts a file name to words, without its number; undefined for a single word, which says little. */
function toTopicTitle(file: string): string | undefined {
  const words = parsePath(file)
    .name.replace(/^[\d\W_]+/, '')
    .split(/[-_\s]+/)
    .filter(Boolean);
  return words.length > 1 ? `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}` : undefined;
}

/** Finds the first line of prose: not a heading, the line under one, or a list entry. */
function findFirstSentence(prose: string): string | undefined {
  const lines = prose.split('\n').map((line) => line.trim());
  const said = lines.filter(
    (line, at) => /[\p{L}\p{N}]/u.test(line) && !/^(?:=+|-+)$/.test(lines[at + 1] ?? ''),
  );
  return (
    said.find((line) => !/^(?:#{1,6}\s|[-*+]\s)/.test(line)) ?? said.find((line) => !line.startsWith('#'))
  );
}
