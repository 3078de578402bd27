// Offline panel: vague words for the reviewer of plain language (data).

/** The words of retext-intensify that are vague in technical text too; its full list holds "that", "all" and "can". */
export const VAGUE: ReadonlySet<string> = new Set(
  `a bit|a lot|absolutely|actually|amazing|apparently|arguably|basically|completely|et cetera|and so forth|essentially|
  exceedingly|excellent|extremely|fairly|frankly|generally|heavily|highly|hopefully|in general|in my opinion|interestingly|
  kind of|largely|likely|literally|lots|maybe|more or less|mostly|nicely|perhaps|possibly|practically|presumably|pretty|
  probably|quite|rather|really|relatively|remarkably|reportedly|seem|seemed|seems|slightly|somehow|somewhat|sort of|
  strongly|stuff|supposedly|surely|surprisingly|tend|things|totally|truly|typically|ultimately|usually|various|vast|
  very|virtually|widely`
    .split('|')
    .map((words) => words.trim()),
);
