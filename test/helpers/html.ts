// Reads HTML as a browser does, for tests that need none.
import { parse, parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

export interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);

/** Every word that is shown, in order; `isLeftOut` leaves out what stands in some elements. */
export function textIn(
  node: Node,
  isLeftOut: (element: Omit<Element, 'text'>) => boolean = () => false,
): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  if ('tagName' in node && isLeftOut({ name: node.tagName, attributes: attributesOf(node) })) return '';
  return childrenOf(node)
    .map((child) => textIn(child, isLeftOut))
    .join('');
}

const attributesOf = ({ attrs }: DefaultTreeAdapterTypes.Element): Record<string, string> =>
  Object.fromEntries(attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value]));

export function elementsIn(node: Node): Element[] {
  const inside = childrenOf(node).flatMap(elementsIn);
  if (!('tagName' in node)) return inside;
  return [{ name: node.tagName, attributes: attributesOf(node), text: textIn(node) }, ...inside];
}

export const documentOf = (html: string): Node => parse(html);
export const fragmentOf = (html: string): Node => parseFragment(html);

/** What no page of ours may hold, wherever its words come from: whatever runs, loads, styles or submits. */
export function dangerIn(node: Node): string[] {
  return elementsIn(node).flatMap(({ name, attributes }) => [
    ...(FORBIDDEN.has(name) ? [`<${name}>`] : []),
    ...Object.entries(attributes).flatMap(([key, value]) => {
      if (/^on|^style$|^srcdoc$|^formaction$|^ping$|^xlink:href$/i.test(key)) return [`${name} ${key}`];
      if (/^(?:src|srcset|data|poster|background|action)$/i.test(key)) return [`${name} ${key}`];
      const isFollowed = /^(?:https?:\/\/|mailto:|#)/.test(value) || (name === 'link' && value === 'data:,');
      return key === 'href' && !isFollowed ? [`${name} href ${value}`] : [];
    }),
  ]);
}

const FORBIDDEN = new Set(
  'script iframe object embed img image video audio source form input button textarea base foreignobject use animate set template noscript math applet frame portal'.split(
    ' ',
  ),
);
