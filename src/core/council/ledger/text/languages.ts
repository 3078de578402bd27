// Words in answers to challenges, praise and references to others' words, by language. Data only.

/** The words of one language: fragments of case-insensitive regular expressions. */
export interface Language {
  /** The subject with a trailing space, or empty if the verb implies it; followed by a verb. */
  i: string;
  conceded: string;
  /** Comes before or after such a word, or before one of `right`. */
  part: string;
  right: string;
  /** Negates such a word. */
  not: string;
  rejected: string;
  answered: string;
  /** The object after the verb of a sentence: what is conceded or rejected. */
  it: string;
  /** After the answer, takes something back. */
  but: string;
  /** After the answer, may introduce a condition. */
  with?: string;
  /** Makes the answer conditional; after the colon of a rejection it introduces the reason. */
  if: string;
  /** After the answer, introduces a reason. */
  because: string;
  /** A heading for several challenges, and the header of an answer column. */
  challenges: string;
  column: string;
  /** Names for a form, and for a place in the text. */
  form: string;
  /** The words are someone else's, an example, an earlier vote, or rejected. */
  another: string;
  /** The words are the author's own, final, or being delivered: "Sure, here it is:". */
  own: string;
  /** Whose judgement it is: "a blocker for me". */
  me: string;
  /** Other words in a sentence that confirms a vote: "My vote stands", "I keep this vote". */
  leaves?: string;
  /** Behind a ballot number, prefers that position: "P3 is better", "P3 wins". */
  best: string;
}

const CLAIM = '(?:the|this|that|my) (?:claim|point|figure|statement|assertion|number)';
const OBJECTION = '(?:the|this|your) (?:objection|challenge|criticism)';
const CRITIQUE = "(?:l'|cette |votre )(?:objection|critique)";

export const LANGUAGES: readonly Language[] = [
  {
    i: 'i |we ',
    conceded: `(?:fully )?(?:conceded?|accept(?:ed)?|agreed?|granted?|admit(?:ted)?)|(?:you are|you're) right|(?:withdrawn|retracted)|(?:withdraw|retract) (?:it|this|that|${CLAIM})|take (?:it|this|that|${CLAIM}) back|${OBJECTION} (?:is|was) (?:correct|right|valid|justified|well[- ]founded)`,
    part: 'in part|partially|partly|mostly|largely|partial(?= (?:concession|agreement))',
    right: 'right|true|correct|valid|justified|concession|agreement',
    not: "(?:do not|don't|cannot|can't|can not|will not|won't|did not|didn't|not)",
    rejected: `reject(?:ed)?|disputed?|disagreed?|refused?|dismiss(?:ed)?|den(?:y|ied)|${OBJECTION} (?:is|was) (?:not (?:valid|justified|correct|right|well[- ]founded)|wrong|invalid|unfounded)|${OBJECTION} does not hold`,
    answered: 'answered|replied|explained|clarified|addressed|maintained',
    it: '(?:(?:with|to) )?(?:(?:the|this|your|that) (?:challenge|objection|criticism|point|claim)|this|that|it)',
    but: 'but|however|except|only|though|although',
    with: 'with',
    if: 'if|unless|(?:pre|on )?condition(?:s|al)?|subject to|contingent|pending|provis(?:o|ional(?:ly)?)|when|provided|assuming|as long as|for (?:the sake of )?argument',
    because: 'because|since',
    challenges: 'challenges|objections',
    column: '(?:my )?(?:answer|status|verdict|response|decision|outcome)',
    form: '(?:the|all|this) above|form|example|template|draft|placeholder',
    another:
      'wrote|writes|said|says|others?|example|draft|template|scratch\\w*|reject|refuse|not|never|if|would|was|earlier|before|previous(?:ly)?|initially|suppos(?:e|ing)|hypothetical(?:ly)?|e\\.g|for instance|such as',
    own: "i|i'm|we|my|our|mine|me|final(?:ly)?|conclusion|overall|so|therefore|summary|bottom line|(?<=^\\W*)here|sure|certainly|of course|understood|okay|missing|requested|format|after|having|given|based on|in (?:the )?light|with (?:that|this|all)|taking|on balance|all things|thus|hence|considering|weighing|(?:to )?summari[sz]\\w+",
    me: '(?:for|to) (?:me|us)|in my (?:view|eyes)',
    best: '(?:better|best|preferable|superior)(?: (?:option|choice|answer|one|than))?|(?:right|my) (?:option|choice|answer)|winner|wins',
    leaves:
      'this|that|it|is|are|the|it|as|and|with|to|by|for|stands?|holds?|keep(?:ing)?|remains?|stays?|same|unchanged|maintain|confirm|cast|hold|below|reasons?|please|count(?:ed|ing)?|record(?:ed|ing)?|thank(?:s| you)|(?:has |have )?not changed?|then|now|instead|after all',
  },
  {
    i: "je |j'|nous ",
    conceded: `(?:entièrement |pleinement )?(?:concédée?s?|acceptée?s?|admise?s?|concède|accepte|admets|reconnais)|d'accord|(?:vous avez|tu as) raison|retirée?|retire (?:cela|(?:cette|mon|l[ae]|ce) ?(?:affirmation|chiffre|point))|${CRITIQUE} est (?:fondée?|juste|exacte?)`,
    part: 'en partie|partiellement|en grande partie|partielle(?= concession)|concession(?= partielle)',
    right: "vraie?|juste|fondée?|d'accord|concession|partielle",
    not: '(?:non|pas)',
    rejected: `(?:ne |n')(?:l'|le |la |les )?(?:concède|accepte|admets|reconnais) pas|ne (?:peux|veux) pas (?:l'|le |la )?(?:accepter|concéder|admettre)|ne suis pas d'accord|rejetée?s?|rejette|refusée?s?|contestée?s?|conteste|${CRITIQUE} n'est pas (?:fondée?|juste|recevable)`,
    answered: 'répondue?|expliquée?|maintenue?',
    it: "cela|ceci|(?:cette |la |votre |l')(?:objection|critique|remarque)|(?:ce|le) (?:défi|point)",
    but: 'mais|sauf|seulement|à moins|bien que',
    with: 'avec',
    if: 'si|conditions?|à condition|sous réserve|pourvu',
    because: "parce que|parce qu'|car|puisque",
    challenges: 'objections|défis',
    column: 'réponse|statut|décision',
    form: 'ce qui (?:est ci-dessus|précède)|formulaire|exemple|modèle|brouillon',
    another: 'écrit|dit|autres|exemple|brouillon|rejette|refuse|pas|jamais|si|dirait|était|avant|précédente?',
    own: "je|j'|nous|mon|ma|mes|notre|nos|mien(?:ne)?|moi|finale?|voici|bien sûr|compris|format|après|ayant|vu|considérant|compte tenu|donc|ainsi|(?:pour )?résumer",
    me: '(?:pour|selon) (?:moi|nous)|à mes yeux',
    best: "(?:meilleure?|mieux|préférable|supérieure?)(?: (?:option|choix|solution|réponse|que))?|convient|l'emporte|gagne",
    leaves:
      "c'est|ce|cette|le|la|est|et|avec|reste|maintiens|maintenue?|garde|confirme|inchangée?|même|raisons?|ci-dessous|merci|compte[rz]?|enregistre[rz]?|n'a pas changé|alors|donc|finalement",
  },
  {
    i: 'ich |wir ',
    conceded:
      '(?:voll )?(?:zugestanden|zugegeben|eingeräumt|anerkannt|akzeptiert|angenommen|akzeptiere|einverstanden)|gestehe (?:das|dies|es) zu|räume (?:das|dies|es) ein|erkenne (?:das|dies|es) an|stimme (?:dem )?zu|zurückgezogen|(?:der|dieser) (?:einwand|punkt) (?:ist berechtigt|stimmt)',
    part: 'teilweise|zum teil|teils|größtenteils|weitgehend',
    right: 'richtig|wahr|berechtigt',
    not: 'nicht',
    rejected:
      'zurückgewiesen|abgelehnt|bestritten|verworfen|widersprochen|bestreite|weise (?:das|dies|es) zurück|lehne (?:das|dies|es) ab|stimme (?:dem )?nicht zu|gestehe (?:das|dies|es) nicht zu|erkenne (?:das|dies|es) nicht an|(?:der|dieser) (?:einwand|punkt) (?:ist unberechtigt|stimmt nicht)',
    answered: 'beantwortet|erwidert|erklärt|geklärt',
    it: 'das|dies|es|diese[nr]? (?:einwand|punkt|kritik)|den (?:einwand|punkt)|die kritik',
    but: 'aber|jedoch|allerdings|außer|nur|obwohl',
    with: 'mit',
    if: 'wenn|falls|bedingung(?:en)?|sofern|solange|vorausgesetzt|unter der bedingung|vorbehaltlich|unter vorbehalt',
    because: 'weil|denn|da',
    challenges: 'einwände|herausforderungen',
    column: '(?:meine )?(?:antwort|entscheidung)|stand|urteil',
    form: 'obige[nrs]?|formular|beispiel|vorlage|entwurf',
    another: 'schr[ie]{2}bt?|sagte?|andere|beispiel|entwurf|vorlage|nicht|wenn|war|(?:früh|vorh|bish)er\\w*',
    own: 'ich|wir|fazit|mein(?:e[rmns]?)?|unser(?:e[rmns]?)?|endgültige?[rmns]?|(?<=^\\W*)hier|gerne?|natürlich|verstanden|nach|angesichts|daher|somit|deshalb|also|bleibe|zusammen(?:fassend|gefasst)',
    me: 'für (?:mich|uns)|aus meiner sicht',
    best: '(?:besser|beste)[ersn]*(?: (?:option|wahl|lösung|antwort|als))?|am besten|vorzuziehen|überlegen|gewinnt',
    leaves:
      'das|dies|diese|die|ist|gilt|und|bleibt?|bleibe|bei|behalte|bestätige|unverändert|gleich|gründe|dieselbe|bitte|zähl(?:t|en)|danke|hat sich nicht geändert|dann|also|doch',
  },
  {
    i: 'yo |nosotros |',
    conceded:
      '(?:concedid[oa]s?|aceptad[oa]s?|admitid[oa]s?|concedo|acepto|admito|reconozco|de acuerdo|retirad[oa])|(?:lo )?(?:concedo|acepto|admito|reconozco)|estoy de acuerdo|tienes? razón|la objeción es (?:correcta|válida|justa)',
    part: 'en parte|parcialmente|en gran parte|parcial(?= concesión)|concesión(?= parcial)',
    right: 'correct[oa]|ciert[oa]|válid[oa]|justificad[oa]|concesión|parcial',
    not: '(?:no|no lo|no la|no estoy)',
    rejected:
      '(?:lo |la )?rechazo|rechazad[oa]s?|denegad[oa]s?|refutad[oa]s?|en desacuerdo|la objeción no es (?:correcta|válida|justa)',
    answered: 'respondid[oa]s?|contestad[oa]s?|aclarad[oa]s?|explicad[oa]s?',
    it: 'esto|eso|(?:esta|la) (?:objeción|crítica)|este punto',
    but: 'pero|sin embargo|excepto|salvo|solo|sólo|a menos|aunque',
    with: 'con',
    if: 'si|condici(?:ón|ones)|sujeto a|cuando|siempre que',
    because: 'porque|ya que|pues|dado que',
    challenges: 'objeciones|desafíos',
    column: '(?:mi )?(?:respuesta|decisión)|estado|veredicto',
    form: 'lo (?:de arriba|anterior)|formulario|ejemplo|plantilla|borrador',
    another: 'escribió|dijo|dice|otros|ejemplo|borrador|plantilla|rechazo|si|era|antes|anterior',
    own: 'yo|mi|mis|nuestr[oa]s?|mí[oa]|final|definitiv[oa]|(?<=^\\W*)aquí|claro|por supuesto|entendido|tras|dado|considerando|por (?:lo )?tanto|así que|(?:en )?resumen',
    me: 'para (?:mí|nosotros)',
    best: '(?:mejor|preferible|superior)(?: (?:opción|elección|solución|respuesta|que))?|gana',
    leaves:
      'este|es|el|la|y|se mantiene|mantengo|confirmo|igual|sin cambios|razones|por favor|cuent[ae]n?|contar|gracias|no ha cambiado|entonces',
  },
  {
    i: 'io |noi |',
    conceded:
      "(?:concess[oaie]|accettat[oaie]|ammess[oaie]|accolt[oaie]|riconosciut[oaie]|(?:lo )?(?:concedo|accetto|ammetto|riconosco)|d'accordo|ritirat[oaie])|hai ragione|l'obiezione è (?:corretta|valida|giusta|fondata)",
    part: 'in parte|parzialmente|in gran parte|parziale(?= concessione)|concessione(?= parziale)',
    right: 'corrett[oa]|ver[oa]|giust[oa]|fondat[oa]|concessione|parziale',
    not: '(?:non|non lo|non la)',
    rejected:
      "(?:lo |la )?(?:respingo|rifiuto)|respint[oaie]|rifiutat[oaie]|rigettat[oaie]|contestat[oaie]|non (?:sono )?d'accordo|in disaccordo|l'obiezione non è (?:corretta|valida|giusta|fondata)",
    answered: 'rispost[oaie]|chiarit[oaie]|spiegat[oaie]',
    it: "questo|ciò|(?:questa |l')(?:obiezione|critica)|la critica|questo punto",
    but: 'ma|però|tuttavia|tranne|solo|a meno|benché',
    with: 'con',
    if: 'se|condizion[ei]|a patto che|quando|purché|a condizione',
    because: 'perché|poiché|dato che',
    challenges: 'obiezioni|sfide',
    column: '(?:la mia )?risposta|stato|verdetto|esito',
    form: 'quanto sopra|modulo|esempio|modello|bozza',
    another: 'scrisse|scrive|disse|dice|altri|esempio|bozza|rifiuto|se|era|prima|precedente',
    own: 'io|mi[oa]|miei|mie|nostr[oa]|finale|definitiv[oa]|ecco|cert(?:o|amente)|dopo|dato|considerando|quindi|pertanto|sulla base',
    me: 'per (?:me|noi)|secondo me',
    best: '(?:miglior[ei]?|meglio|preferibile|superiore)(?: (?:opzione|scelta|soluzione|risposta|di))?|la scelta|vince',
    leaves:
      'questo|è|il|e|resta|rimane|mantengo|confermo|invariato|lo stesso|ragioni|per favore|conta(?:re|te)|grazie|non è cambiato|allora',
  },
  {
    i: 'eu |nós |',
    conceded:
      '(?:concedid[oa]s?|aceit[oae]s?|admitid[oa]s?|reconhecid[oa]s?|concedo|admito|reconheço|concordo|de acordo|retirad[oa])|tens? razão|você tem razão|a objeção é (?:correta|válida|justa)',
    part: 'em parte|parcialmente|em grande parte|parcial(?= concessão)|concessão(?= parcial)',
    right: 'corret[oa]|certo|verdade|válid[oa]|concessão|parcial',
    not: 'não',
    rejected:
      '(?:rejeito|recuso|discordo|rejeitad[oa]s?|recusad[oa]s?|negad[oa]s?|contestad[oa]s?)|a objeção não é (?:correta|válida|justa)',
    answered: 'respondid[oa]s?|esclarecid[oa]s?|explicad[oa]s?',
    it: 'isto|isso|(?:esta|essa|a) (?:objeção|crítica)|este ponto',
    but: 'mas|porém|contudo|exceto|salvo|só|apenas|a menos|a não ser|embora',
    with: 'com',
    if: 'se|condiç(?:ão|ões)|sujeito a|quando|desde que',
    because: 'porque|pois|já que',
    challenges: 'objeções|desafios',
    column: '(?:a minha |minha )?(?:resposta|decisão)|estado|veredito',
    form: 'o acima|formulário|exemplo|modelo|rascunho',
    another: 'escreveu|disse|outros|exemplo|rascunho|rejeito|se|era|antes|anterior',
    own: 'eu|meu|minha|noss[oa]|final|definitiv[oa]|(?<=^\\W*)aqui|com certeza|segue|após|depois|dado|considerando|portanto|assim|(?:em )?resumo',
    me: 'para (?:mim|nós)',
    best: '(?:a )?(?:melhor|preferível|superior)(?: (?:opção|escolha|solução|resposta|que))?|ganha|vence',
    leaves:
      'este|é|o|e|mantém-se|mantenho|confirmo|inalterado|o mesmo|razões|por favor|cont[ae][rm]?|obrigad[oa]|não mudou|então',
  },
  {
    i: 'ik |wij |we ',
    conceded:
      '(?:toegegeven|erkend|aanvaard|geaccepteerd|ingetrokken|aanvaard|accepteer|erken|mee eens|akkoord)|geef (?:dit|dat|het) toe|ben het (?:hiermee|ermee) eens|je hebt gelijk|het bezwaar is (?:terecht|juist)',
    part: 'deels|gedeeltelijk|ten dele|grotendeels',
    right: 'juist|waar|terecht',
    not: '(?:niet|het niet)',
    rejected:
      '(?:verworpen|afgewezen|weerlegd|betwist|oneens)|verwerp|wijs (?:dit|dat|het) af|geef (?:dit|dat|het) niet toe|(?:ben het )?niet (?:mee |hiermee |ermee )?eens|het bezwaar is (?:onterecht|onjuist)',
    answered: 'beantwoord|uitgelegd|verduidelijkt|toegelicht',
    it: 'dit|dat|het|dit (?:bezwaar|punt)|deze kritiek',
    but: 'maar|echter|behalve|alleen|tenzij|hoewel',
    with: 'met',
    if: 'als|indien|behoudens|voorwaarden?|mits|zolang',
    because: 'omdat|want|aangezien',
    challenges: 'bezwaren|uitdagingen',
    column: '(?:mijn )?antwoord|status|oordeel|besluit',
    form: 'het bovenstaande|formulier|voorbeeld|sjabloon|concept',
    another: 'schreef|zei|zegt|anderen|voorbeeld|sjabloon|niet|als|was|eerdere?|vorige',
    own: 'ik|wij|mijn|ons|onze|uiteindelijke?|definitieve?|natuurlijk|zeker|na|gezien|dus|daarom|alles|samenvattend',
    me: 'voor (?:mij|ons)',
    best: '(?:beter|beste?|verkieslijk)e?(?: (?:optie|keuze|oplossing|antwoord|dan))?|wint',
    leaves:
      'dit|dat|is|de|het|en|blijft?|behoud|bevestig|ongewijzigd|dezelfde|redenen|graag|tel(?:len)?|bedankt|is niet veranderd|dan|dus',
  },
  {
    i: '私は、?|私たちは、?',
    conceded:
      '承認します|承認|認めます|認める|認めました|認めた|受け入れます|受け入れる|同意します|同意する|同意|譲歩します|譲歩|撤回します|撤回',
    part: '部分的に|一部|大部分',
    right: '正しい',
    not: '不',
    rejected:
      '認めません|認めない|同意しません|同意しない|受け入れません|受け入れない|却下します|却下|拒否します|拒否|反対します|反対|否認します|否認|反論します',
    answered: '回答しました|回答済み|回答|説明しました|説明済み',
    it: 'この(?:異議|指摘|点)を?|これを?',
    but: 'しかし|ですが',
    if: 'もし|条件|ただし|但し|[^。]{1,40}場合(?:に限|のみ)',
    because: 'なぜなら',
    challenges: '異議|指摘',
    column: '回答|判定|状態|結果',
    form: '上記[をは]|下書き|テンプレート|例',
    another: '例|他の人|下書き|以前|前回',
    own: '私|我々|最終|以下|承知|了解|以上|よって|したがって|結論|比較|検討|踏まえ|まとめ',
    me: '私にとって',
    best: '(?:の(?:方|ほう))?が(?:最も|最|一番)?(?:良い|いい|よい|優れている|優れています)|が最適|を(?:支持|選択|採用|推奨|推し|選び)(?:します|する)?|(?:に|と)(?:します|する|決めます|決めました|変更します)|です|と思います',
  },
  {
    i: '我们?',
    conceded: '(?:完全)?(?:承认|认可|认同|同意|接受|赞同)|你说得对|撤回',
    part: '部分|部分地|一部分|大部分',
    right: '正确|属实',
    not: '(?:不|并不|没有|未|不予)',
    rejected: '拒绝|驳回|反对|否认|否定|反驳',
    answered: '已?回答|已?答复|已?解释|已?说明',
    it: '这一?(?:点|质疑|异议)|这个(?:质疑|异议)|这',
    but: '但是?|不过|然而',
    if: '除非|如果|条件|只要|前提是',
    because: '因为|由于',
    challenges: '质疑|异议',
    column: '回答|回应|状态|结论|裁定',
    form: '(?:以上|上述|上面的?)内容|示例|模板|草稿',
    another: '例如|其他人|草稿|之前|以前',
    own: '我|我们|总结|最终|当然|好的|如下|因此|所以|综上|比较|权衡|考虑|综合',
    me: '对我来说',
    best: '(?:是)?(?:更|最)(?:好|优|佳|合适)的?(?:选择|方案|选项)?|胜出|了',
  },
];
