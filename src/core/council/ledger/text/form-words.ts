// The form fields in nine languages: names and values. Data only.

/** The fields a text can declare. `decision` is for a synthesis, `holds` for CHALLENGE. */
export type FieldName =
  | 'position'
  | 'vote'
  | 'approve'
  | 'new'
  | 'same'
  | 'rank'
  | 'confidence'
  | 'agreed'
  | 'done'
  | 'blocking'
  | 'because'
  | 'holds'
  | 'decision';

/** English, French, German, Spanish, Italian, Portuguese, Dutch, Japanese, Chinese; lower case, with commas. */
export const NAMES: Record<FieldName, string> = {
  position: `position, my position is, stance, haltung, standpunkt, posición, postura, posizione, posição, standpunt, positie,
    立場, ポジション, 立场, 主张`,
  vote: `vote, abstimmung, i vote, i vote for, i'm voting for, i am voting for, i choose, i pick, i prefer, i go with, i'm going with, i support, my choice, my pick, voted,
    ballot, je vote, je vote pour, je choisis, je préfère, je soutiens, mon choix, voix, stimme, votum, ich stimme für, ich wähle, ich bevorzuge, meine wahl, voto, mi voto, voto por,
    elijo, mi elección, voto per, la mia scelta, escolho, minha escolha, stem, ik stem, ik kies, ik verkies, mijn keuze, 投票, 票, 表决`,
  approve: `approve, approves, approved, approvals, i approve, also approve, acceptable, also acceptable, also accept,
    can live with, could live with, approbations, approuve, approuvé, approuvée, approuvées, approuvés, approuver, j'approuve, acceptables,
    aussi acceptable, également acceptable, annehmbar, auch annehmbar, akzeptabel, auch akzeptabel, zustimmung, ich billige,
    aprobar, apruebo, aprobado, aprobados, aprobaciones, aceptable, también aceptable, approvo, approvato, approvati,
    approvazioni, accettabile, anche accettabile, aprovo, aprovado, aprovados, aprovações, aceitável, também aceitável,
    aanvaardbaar, ook aanvaardbaar, acceptabel, ook acceptabel, goedgekeurd, ik keur goed, 承認, 容認, 賛成できる, 許容できる,
    受け入れ可能, 可以接受, 也可以接受, 可接受, 也可接受, 赞成, 认可`,
  new: `new, new position, nouvelle, nouvelle position, neu, neue position, nueva, nueva posición, nuova, nuova posizione, nova,
    nova posição, nieuw, nieuw standpunt, nieuwe positie, 新しい立場, 新規, 新案, 新立场, 新方案`,
  same: `same, same as, identical, identique, identiques, pareil, pareille, pareils, même, mêmes, gleich, dasselbe, identisch, igual,
    iguales, idéntico, idénticos, uguale, uguali, identico, identici, iguais, idêntico, idênticos, gelijk, hetzelfde,
    identiek, 同じ, 同一, 相同, 等同`,
  rank: `rank, ranks, ranking, ranked, i rank, preference order, order of preference, classement, je classe, ordre de préférence,
    rangfolge, rangliste, reihenfolge, rangordnung, clasificación, ranking final, orden de preferencia, classifica, ordine di preferenza,
    classificação, ordem de preferência, rangschikking, rangorde, volgorde, voorkeursvolgorde, 順位, 順位付け, ランキング, 排名, 排序`,
  confidence: `confidence, confidence level, confidence score, confiance, niveau de confiance, degré de confiance, assurance, certitude,
    zuversicht, konfidenz, sicherheit, gewissheit, confianza, nivel de confianza, certeza, fiducia, confidenza,
    livello di fiducia, certezza, confiança, nível de confiança, vertrouwen, zekerheid, zekerheidsgraad, 確信度, 信頼度, 自信, 信心,
    置信度, 信心度, 把握`,
  agreed: `agreed, agree, accord, d'accord, einverstanden, de acuerdo, acuerdo, d'accordo, accordo, de acordo, acordo, akkoord, eens,
    同意, 合意`,
  done: `done, terminé, fini, fertig, erledigt, terminado, hecho, finito, terminato, fatto, concluído, feito, klaar, gedaan,
    完了, 完成`,
  blocking: `blocking, blocking issue, blocking issues, blocker, blockers, blocks, blocked, blocked by, dealbreaker, deal-breaker, showstopper, show-stopper, must be solved first, i block, i veto, i veto this, veto, vetoes, bloquant, bloquants, bloquante,
    bloquantes, point bloquant, points bloquants, problèmes bloquants, je bloque, je mets mon veto, blockierend, blockierende, blockierende punkte,
    blockierende probleme, blockiert, blockade, blockaden, hindernis, hindernisse, bloqueante, bloqueantes, puntos bloqueantes, problemas bloqueantes,
    bloqueo, bloqueos, bloquea, bloccante, bloccanti, punti bloccanti, problemi bloccanti, blocco, blocchi, pontos bloqueantes,
    bloqueio, bloqueios, bloqueia, blokkerend, blokkerende punten, blokkerende problemen, blokkade, blokkades, blokkeert,
    ブロッキング, ブロッカー, ブロック, 阻害要因, 阻止事項, 未解決の問題, 拒否権, 阻碍, 阻塞, 阻塞问题, 阻断, 否决, 否决权`,
  because: `because, parce que, raison, weil, porque, perché, omdat, なぜなら, 因为`,
  holds: `holds, what holds, tient, tiennent, hält, bestätigt, se sostiene, se mantiene, regge, reggono, mantém-se, houdt stand,
    成立する, 崩せなかった, 成立, 站得住脚`,
  decision: `decision, decided, final decision, verdict, décision, décidé, décision finale, entscheidung, entscheid, beschluss, decisión,
    veredicto, decisione, verdetto, decisão, veredito, besluit, beslissing, 決定, 結論, 决定, 结论`,
};
/** Stems of verbs for voting, in any inflection: "je voterais", "würde P2 wählen". */
export const VOTING_VERB =
  /(?<!\p{L})(?:vot|choos|pick|choisi|wähl|stimm|eleg|elij|scegli|sceglie|escolh|stem|kies)\p{L}*|投票|選|选/iu;

/** Names of tags or keys that wrap a whole answer; their contents count. */
export const WRAPPER_NAMES =
  '(?:answer|contribution|response|output|final|final_answer|reply|result|form|council|front-?matter|header|yaml|ballot|collect|challenge|resolve|turn|message)';

/** Qualifiers without effect on a name: possessives, and words for "final". */
export const NAME_QUALIFIERS = `my, our, own, final, ma, mon, mes, notre, finale, meine, mein, endgültige, endgültiges, mi, mis, nuestra, nuestro, la,
  mia, mio, il, mie, minha, meu, a, o, mijn, onze, uiteindelijke, definitieve, definitief, définitif, définitive, 私の, 最終的な, 最終, 我的, 我, 最终`;

/** Words for yes, no, none, abstention and no position. */
export const VALUES = {
  yes: `true, yes, y, on, oui, vrai, ja, wahr, sí, si, verdadero, sì, vero, sim, verdadeiro, waar, はい, 是`,
  no: `false, no, n, off, non, faux, nein, falsch, falso, não, nee, onwaar, いいえ, 否, never, not at all, jamais, pas du tout, nie, niemals,
  gar nicht, überhaupt nicht, nunca, jamás, en absoluto, mai, per niente, affatto, de modo nenhum, nooit, helemaal niet, 決して, 从不, 从未`,
  nothing: `none, nothing, null, nil, ~, n/a, no blocking issues, no blocking issue, no blockers, aucun, aucune, aucun point bloquant, rien,
  keine, keiner, keines, kein, nichts, ninguno, ninguna, nada, nessuno, nessuna, niente, nenhum, nenhuma, geen, niets, なし, 無し,
  特になし, ありません, 无, 無, 没有, 沒有`,
  abstain: `abstain, i abstain, abstains, abstention, abstaining, no vote, je m'abstiens, enthaltung, ich enthalte mich, abstención, me abstengo,
  astensione, mi astengo, abstenção, abstenho-me, onthouding, ik onthoud mij, 棄権, 弃权, 棄權`,
  noPosition: `no position, no position yet, none yet, undecided, unknown, unknown yet, pending, tbd, todo, to be decided, to be determined,
  to be defined, à définir, à déterminer, à décider, indécis, indécise, aucune position, pas de position, unentschieden, indeciso, onbeslist,
  保留, see below, see above, see text, unchanged, no change, same as before,
  same as above, as before, as above, as stated, not decided, not yet decided, still open, open, voir ci-dessous, voir plus bas, voir ci-dessus, inchangé, inchangée,
  comme avant, comme plus haut, pas encore décidé, à voir, siehe unten, siehe oben, unverändert, wie zuvor, wie oben, noch offen, offen, noch nicht entschieden,
  bisher keine, ver abajo, ver arriba, sin cambios, como antes, aún no decidido, ninguna por ahora, vedi sotto, vedi sopra, invariata, invariato, come prima,
  non ancora deciso, nessuna per ora, ver abaixo, ver acima, sem alteração, inalterada, como antes, ainda não decidido, zie onder, zie boven, ongewijzigd,
  zoals eerder, nog geen, nog niet beslist, nog open, 下記参照, 上記参照, 変更なし, 未定, まだない, 见下文, 见上文, 不变, 暂无, 未决定, 未定`,
};

/** Joins two words or sentences. */
export const AND = 'and|et|und|y|e|en';
/** Names what is left: "I moved from P2 to P3". */
export const FROM = 'from|de|von|da|van';

/** Symbols for "no" at the start of an answer. A tick may just mean "done", so it says nothing. */
export const REJECTING_MARKS = '❌✗✘✖👎🚫⛔';
