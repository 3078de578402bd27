// Words for supporting, objecting, and arguing against one's own position, by language. Data only.

/** The words of one language: fragments of case-insensitive regular expressions, with straight apostrophes. */
export interface SideWords {
  /** How a supporting (or opposing) heading or line starts. */
  for: string;
  against: string;
  /** A statement that the author tried to refute a claim and failed. */
  held: string;
  /** "The best case against my position". */
  ownCase: string;
}

const BREAK = '(?:break|refute|falsify|disprove)';
const CASSER = '(?:réfuter|casser|contredire|démentir)';
/** One character within a sentence; the full stop in "ada.2" does not end it. */
const SAME = '(?:[^.!?;。！？；]|\\.(?=\\d))';

export const SIDE_WORDS: readonly SideWords[] = [
  {
    for: `for|pro|pros|in favou?r|supports?|supporting|agreements?|points? of agreement|i agree with|what i accept|what convinces me|(?:what|claims? that|which) (?:holds?|held|stands?)(?: up)?|(?:still )?(?:holds?|stands?)(?: up)?|not broken|unbroken|(?:(?:the )?claims? (?:that |which )?)?(?:(?:i|we) )?(?:(?:have )?tried (?:and failed )to ${BREAK}|(?:have )?tried to ${BREAK},? (?:and|but) (?:could not|couldn't|failed)|(?:could not|couldn't|failed to) ${BREAK})`,
    against: 'against|cons?|challenges?|objections?|disagreements?',
    held: `(?:tried|attempted|sought) to ${BREAK}${SAME}{0,160}?(?:and|but) (?:could not|couldn't|failed|did not succeed)(?: ${BREAK} (?:it|this|that|them))?|(?:i|we) (?:could not|couldn't|failed to|was unable to|were unable to) ${BREAK} (?:it|this|that|them)|looked for (?:an? )?counter-?examples?${SAME}{0,80}? and found none|(?<=[.!:—–] ?)(?:it|this|the claim) (?:holds|stands)(?: up)?(?=[.!])`,
    ownCase:
      '(?:the |my )?(?:best|strongest|most serious|main) (?:case|argument|objection|point) (?:against|to) (?:(?:my|this|the|our)(?: own)? (?:position|claim|proposal|view|case|recommendation)|me|myself|us)|(?:the )?case against (?:(?:my|this|the|our)(?: own)? (?:position|claim|proposal|view|case|recommendation)|me|myself)|steel-?man\\b',
  },
  {
    for: `pour|je suis d'accord avec|soutiens?|appuis?|accords?|points? d'accord|ce que j'accepte|(?:ce qui )?tient|tiennent|(?:affirmations? )?non réfutées?|(?:(?:les )?affirmations? que )?(?:je n'ai|nous n'avons) pas (?:pu|réussi à) ${CASSER}|(?:(?:les )?affirmations? que )?(?:j'ai|nous avons) (?:essayé|tenté) de ${CASSER},? (?:en vain|sans (?:succès|y parvenir))`,
    against: 'contre|défis?|objections?|désaccords?',
    held: `(?:essayé|tenté) de (?:la |le )?${CASSER}${SAME}{0,160}?,? (?:en vain|sans (?:succès|y parvenir))|je n'ai pas (?:pu|réussi à) (?:la |le )${CASSER}|cherché un contre-exemple${SAME}{0,80}? (?:en vain|sans en trouver|et n'en ai trouvé aucun)`,
    ownCase:
      "(?:le |la |ma |mon )?(?:meilleure?|plus forte?) (?:argument |objection |plaidoyer |cas )?(?:contre|à) (?:ma|mon|cette|la|ce|moi)(?: propre)?(?: position| proposition| thèse| avis)?|l'(?:argument|objection) (?:le plus fort|la plus forte) contre (?:ma|cette|la)(?: propre)? position|le (?:meilleur |plus fort )?plaidoyer contre (?:ma|cette|la)(?: propre)? position",
  },
  {
    for: 'dafür|zustimmung|unterstützung|einigkeit|was (?:ich akzeptiere|hält|standhält)|hält stand|(?:behauptungen, die ich )?nicht widerlegen (?:konnte|konnten)|(?:ich konnte )?nicht widerlegt',
    against: 'dagegen|kontra|einwände?|herausforderungen|widerspruch',
    held: `versucht${SAME}{0,80}? zu widerlegen,? (?:aber|und|doch) (?:es )?(?:nicht gelungen|konnte es nicht|ist mir nicht gelungen)|vergeblich versucht${SAME}{0,80}? zu widerlegen|konnten? (?:ich |wir )?(?:das|dies|es|sie|ihn) nicht widerlegen|gegenbeispiel${SAME}{0,60}? gesucht und keines gefunden|(?<=[.!:—–] ?)(?:es|das|die behauptung) hält stand(?=[.!])`,
    ownCase:
      '(?:das |der |mein )?(?:beste[sr]?|stärkste[sr]?) (?:argument|einwand|fall) gegen (?:meine|diese|die)(?: eigene)? (?:position|haltung|behauptung)',
  },
  {
    for: 'a favor|estoy de acuerdo con|acuerdos?|puntos de acuerdo|lo que acepto|lo que se sostiene|se sostienen?|(?:afirmaciones que )?no (?:pude|pudimos|he podido) refutar',
    against: 'en contra|objeciones?|desafíos|desacuerdos?',
    held: `(?:intenté|traté de|he intentado) refutarl[ao]s?${SAME}{0,120}? (?:sin éxito|y no pude|en vano)|no (?:pude|pudimos|he podido) refutarl[ao]s?|busqué un contraejemplo${SAME}{0,60}? y no (?:lo )?encontré(?: ninguno)?`,
    ownCase:
      '(?:el |la |mi )?(?:mejor|más fuerte) (?:argumento|objeción|caso) contra (?:mi|esta|la)(?: propia)? (?:posición|postura|propuesta)',
  },
  {
    for: "a favore|sono d'accordo con|accordi?|punti di accordo|ciò che accetto|ciò che regge|reggono?|(?:affermazioni che )?non (?:sono riuscit[oa] a|ho potuto) confutare",
    against: 'contro|obiezioni?|sfide|disaccordi?',
    held: `(?:ho (?:provato|cercato|tentato) (?:a|di)) confutarl[aoe]${SAME}{0,120}? (?:senza successo|senza riuscirci|invano)|non (?:sono riuscit[oa] a|ho potuto) confutarl[aoe]|ho cercato un controesempio${SAME}{0,60}? (?:senza trovarlo|e non l'ho trovato|invano)`,
    ownCase:
      '(?:il |la |mio )?(?:miglior|più forte) (?:argomento|obiezione|caso) contro (?:la mia|questa|la)(?: stessa)? (?:posizione|proposta|tesi)',
  },
  {
    for: 'a favor|concordo com|acordos?|pontos de acordo|o que aceito|o que se mantém|mantêm-se|(?:afirmações que )?não (?:consegui|conseguimos|pude) refutar',
    against: 'contra|objeções|objeção|desafios|desacordos?',
    held: `(?:tentei|procurei) refutá-l[ao]s?${SAME}{0,120}? (?:sem sucesso|e não consegui|em vão)|não (?:consegui|conseguimos|pude) refutá-l[ao]s?|procurei um contraexemplo${SAME}{0,60}? e não (?:o )?encontrei(?: nenhum)?`,
    ownCase:
      '(?:o |a |meu )?(?:melhor|mais forte) (?:argumento|objeção|caso) contra (?:a minha|esta|a)(?: própria)? (?:posição|proposta)',
  },
  {
    for: 'vóór|voor|ik ben het eens met|overeenstemming|wat ik aanvaard|wat standhoudt|houdt stand|(?:beweringen die ik )?niet (?:kon|konden) weerleggen',
    against: 'tegen|bezwaren|bezwaar|uitdagingen',
    held: `geprobeerd${SAME}{0,80}? te weerleggen,? (?:maar|en) (?:het lukte niet|dat lukte niet|kon het niet)|tevergeefs geprobeerd${SAME}{0,80}? te weerleggen|kon (?:ik )?(?:het|dit|dat|deze) niet weerleggen|tegenvoorbeeld gezocht${SAME}{0,60}? en (?:er )?geen gevonden`,
    ownCase:
      '(?:het |de |mijn )?(?:beste|sterkste) (?:argument|bezwaar|zaak) tegen (?:mijn|dit|deze)(?: eigen)? (?:standpunt|positie|voorstel)',
  },
  {
    for: '賛成|同意する点|同意点|崩せなかった(?:主張)?|成立する(?:主張)?',
    against: '反対|異議|反論',
    held: '反証(?:しようとした|を試みた)が[^。]{0,40}できなかった|反例を探したが[^。]{0,30}(?:見つからなかった|なかった)|(?:これは)?崩せなかった|反証できなかった',
    ownCase: '(?:私|自分)の立場に対する最(?:良|強)の反論',
  },
  {
    for: '支持|赞成|同意之处|站得住脚的?(?:主张)?|(?:我)?(?:未能|无法)(?:反驳|推翻)的?(?:主张)?',
    against: '反对|质疑|异议',
    held: '(?:试图|尝试)(?:反驳|推翻|证伪)[^。]{0,40}(?:未能成功|没有成功|失败了)|(?:未能|无法|没能)(?:反驳|推翻|证伪)(?:它|这一点|这个主张)|(?:寻找|找)(?:过)?反例[^。]{0,30}(?:没有找到|未找到|没找到)',
    ownCase: '(?:对)?我的立场最(?:有力|强)的反对(?:意见|理由)?|反对我的立场的最(?:有力|强)的理由',
  },
];
