// The words of evals, in English and French, beside those of the core.
import { addWords } from '../core/base/words/words.ts';

const en = () => ({
  // An eval on questions with known answers, its ways to an answer, and what a comparison of two finds.
  eval: {
    reconsider:
      'Nobody else is heard. Look at your own answer once more, as somebody who wants to find what is wrong with it. Say what you found, and where you stand now. Having said it before is no reason to stay, and being asked again is none to move.',
    title: 'Eval: {asked}, answered by {seats}',
    oneQuestion: '1 question',
    questions: '{questions} questions',
    repeated: '{questions}, {repeat} times each',
    taken: '{results}, {launches}, {cost}.',
    oneResult: '1 result',
    results: '{count} results',
    missing: '{missing} of {asked} results are not recorded, and not counted.',
    costUnknown: 'at a cost that is not known',
    arms: 'How right each way is',
    armHead: 'Way | Right | Wrong | Undecided | Share right (95 %) | Answers a question | US$ a question',
    solo: '{seat} alone',
    shared:
      'The blind answers are the same ones in every way. Revise, more and the debate ask equally often.',
    sharedUnheard:
      'The blind answers are the same ones in every way. More and the debate ask equally often; revise asks nobody who gave no blind answer to reconsider.',
    changed:
      'Against the blind vote the debate corrected {corrected} of {results} results, and corrupted {corrupted}.',
    comparisons: 'Is there a difference?',
    comparisonHead: 'Compared | Only the first right | Only the second right | Points (95 %) | p | Finding',
    needed: '{verdict}; to see one of 10 points it would take about {needed} questions',
    method:
      'Each question counts once, as right where more than half of its repeats were. p is from McNemar’s exact test, corrected by Holm for {count} comparisons; below 0.05 is a difference. Nothing else here is tested. Intervals of points are from 2,000 draws of the questions.',
    surcharges: 'What a further right answer takes, beyond the blind vote',
    surchargeHead: 'Way | Further right | Further answers for each (95 %) | US$ for each',
    unbounded: 'no limit',
    sharePlot: 'Percent right, with intervals of 95 %',
    differencePlot: 'Difference in points, with intervals of 95 %',
  },
  evalArms: {
    vote: 'blind vote, plurality',
    voteMajority: 'blind vote, majority',
    revise: 'revise: each reconsiders alone, plurality',
    more: 'more answers, plurality',
    debate: 'debate, plurality',
    debateMajority: 'debate, majority',
    blindFirst: 'debate, rule blind-first',
  },
  evalVerdicts: {
    first: 'the first is right more often',
    second: 'the second is right more often',
    none: 'no difference seen',
    tooFew: 'no difference seen: with fewer than 6 questions on which they differ, none can be shown',
  },
});

const fr = (): ReturnType<typeof en> => ({
  // An eval on questions with known answers, its ways to an answer, and what a comparison of two finds.
  eval: {
    reconsider:
      'Personne d’autre n’est entendu. Relisez votre propre réponse comme quelqu’un qui veut y trouver une erreur. Dites ce que vous avez trouvé, et quelle est maintenant votre position. L’avoir déjà dit n’est pas une raison de rester, être interrogé de nouveau n’en est pas une de changer.',
    title: 'Évaluation : {asked}, réponses de {seats}',
    oneQuestion: '1 question',
    questions: '{questions} questions',
    repeated: '{questions}, {repeat} fois chacune',
    taken: '{results}, {launches}, {cost}.',
    oneResult: '1 résultat',
    results: '{count} résultats',
    missing: '{missing} résultats sur {asked} ne sont pas enregistrés et ne comptent pas.',
    costUnknown: 'pour un coût inconnu',
    arms: 'Combien de réponses justes par méthode',
    armHead:
      'Méthode | Justes | Fausses | Indécises | Part juste (95 %) | Réponses par question | $US par question',
    solo: '{seat} seul',
    shared:
      'Les réponses à l’aveugle sont les mêmes pour toutes les méthodes. Révision, réponses supplémentaires et débat interrogent aussi souvent.',
    sharedUnheard:
      'Les réponses à l’aveugle sont les mêmes pour toutes les méthodes. Réponses supplémentaires et débat interrogent aussi souvent ; la révision n’interroge pas qui n’a donné aucune réponse à reconsidérer.',
    changed:
      'Par rapport au vote à l’aveugle, le débat a corrigé {corrected} résultats sur {results} et en a gâté {corrupted}.',
    comparisons: 'Y a-t-il une différence ?',
    comparisonHead: 'Comparés | Seul le premier juste | Seul le second juste | Points (95 %) | p | Constat',
    needed: '{verdict} ; pour en voir une de 10 points, il faudrait environ {needed} questions',
    method:
      'Chaque question compte une fois, comme juste si plus de la moitié de ses répétitions le sont. p vient du test exact de McNemar, corrigé selon Holm pour {count} comparaisons ; au-dessous de 0,05, il y a une différence. Rien d’autre n’est testé ici. Les intervalles des points viennent de 2 000 tirages des questions.',
    surcharges: 'Ce que prend une réponse juste de plus, au-delà du vote à l’aveugle',
    surchargeHead: 'Méthode | Justes en plus | Réponses pour chacune (95 %) | $US pour chacune',
    unbounded: 'sans limite',
    sharePlot: 'Pourcentage juste, avec intervalles de 95 %',
    differencePlot: 'Différence en points, avec intervalles de 95 %',
  },
  evalArms: {
    vote: 'vote à l’aveugle, pluralité',
    voteMajority: 'vote à l’aveugle, majorité',
    revise: 'révision : chacun reconsidère seul, pluralité',
    more: 'plus de réponses, pluralité',
    debate: 'débat, pluralité',
    debateMajority: 'débat, majorité',
    blindFirst: 'débat, règle blind-first',
  },
  evalVerdicts: {
    first: 'le premier est plus souvent juste',
    second: 'le second est plus souvent juste',
    none: 'aucune différence visible',
    tooFew:
      'aucune différence visible : avec moins de 6 questions où ils diffèrent, on ne peut en montrer aucune',
  },
});

export const loadEvalWords = addWords({ en, fr });
export type EvalWords = ReturnType<typeof loadEvalWords>;
