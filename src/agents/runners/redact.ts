/** Shapes of keys and tokens that programs are known to print in their errors. */
const PATTERNS: [RegExp, string][] = [
  // The address of a proxy or of a database.
  [/(\w:\/\/)[^\s/:@]+:[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/\bcouncil_[\w-]{43,}/g, '[redacted]'],
  [/(authorization["']?\s*[:=]\s*["']?basic\s+)[\w+/]{8,}={0,2}/gi, '$1[redacted]'],
  // api_key=…, x-api-key: …, "apiKey": "…"; a value without a digit is a name or a word.
  [/(api[-_]?key["']?\s*[:=]\s*["']?)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/\b(?:sk-|gsk_|hf_|xai-)[\w-]{8,}/g, '[redacted]'],
  [/\b(gh[opsur]_\w{16,}|github_pat_\w{16,})/g, '[redacted]'],
  [/\b(AKIA|ASIA)[0-9A-Z]{16}\b/g, '[redacted]'],
  [/\bxox[a-z]-[\w-]{8,}/g, '[redacted]'],
  [/\bAIza[\w-]{30,}/g, '[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[redacted]'],
];
/** Shorter values ("1", "en") are no secrets, and replacing them would make the text unreadable. */
const SHORTEST_SECRET = 4;

/** `text` with every one of `secrets`, and everything that looks like a key or a token, as `[redacted]`. */
export function redact(text: string, secrets: string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  // Longest first: a secret may begin with another one.
  known.sort((a, b) => b.length - a.length);
  let clean = text;
  for (const secret of known) clean = clean.replaceAll(secret, '[redacted]');
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
