// French for what a command line is refused with: in the code these sentences are English. Pure.
import { HINTS } from './refusal-hints.ts';
import { createTranslator } from './to-french.ts';
import type { FrenchRow } from './to-french.ts';

export const REFUSALS: readonly FrenchRow[] = [
  [
    'Nobody at this table can answer a question: the offline panel only checks documents.',
    'Personne à cette table ne peut répondre à une question : le panel hors ligne ne vérifie que des documents.',
  ],
  ['There is no file {name}.', 'Il n’y a pas de fichier {name}.'],
  [
    'Give the path of a file or folder behind the question. If it belongs to the question, put all of it in quotes.',
    'Derrière la question vient le chemin d’un fichier ou d’un dossier. S’il fait partie de la question, mettez le tout entre guillemets.',
  ],
  ['What you can do:', 'Ce que vous pouvez faire :'],
  [
    '- check a document, given as the brief: {command}',
    '- faire vérifier un document, donné comme mandat : {command}',
  ],
  ['- let people answer: {command}, then {next}', '- faire répondre des personnes : {command}, puis {next}'],
  [
    '- install one of {programs}: {command} finds it',
    '- installer l’un de ces programmes : {programs} ; {command} le trouve',
  ],
  ['- name a model: {command} (needs its key)', '- nommer un modèle : {command} (il faut sa clé)'],
  [
    'There is no council project in {folder} or above it.',
    'Il n’y a aucun projet de conseils dans {folder} ni au-dessus.',
  ],
  [
    'Prepare this folder with: council init (council ask, start and run do it as well), or name one with --root.',
    'Pour préparer ce dossier : council init (council ask, start et run le font aussi) ; ou indiquez-en un autre avec --root.',
  ],
  ['There is no agent {name}.', 'Il n’y a pas d’agent {name}.'],
  ['There is no mode {name}.', 'Il n’y a pas de mode {name}.'],
  ['There is no persona {name}.', 'Il n’y a pas de persona {name}.'],
  ['There is no archive {name}.', 'Il n’y a pas d’archive {name}.'],
  ['There is no active council {name}.', 'Il n’y a pas de conseil {name} en cours.'],
  ['No council is active.', 'Aucun conseil n’est en cours.'],
  ['Did you mean {name}?', 'Vouliez-vous dire {name} ?'],
  ['(Did you mean {name}?)', '(Vouliez-vous dire {name} ?)'],
  ['Known agents: {names}.', 'Agents connus : {names}.'],
  ['Modes: {names}.', 'Modes : {names}.'],
  ['Personas: {names}.', 'Personas : {names}.'],
  ['Active: {names}.', 'En cours : {names}.'],
  ['Choose one with --name.', 'Choisissez-en un avec --name.'],
  ['A project adds its own in {folder}.', 'Un projet ajoute les siens dans {folder}.'],
  [
    'There are no agents yet: add one with {command}.',
    'Il n’y a pas encore d’agent. Pour en ajouter un : {command}.',
  ],
  ['See all of them with: {command}', 'Pour les voir tous : {command}'],
  ['Start one with: {command}', 'Pour en commencer un : {command}'],
  ['See: {command}', 'Voir : {command}'],
  ['For example: {command}', 'Par exemple : {command}'],
  ["unknown command '{name}'", 'commande inconnue : {name}'],
  ["unknown option '{name}'", 'option inconnue : {name}'],
  ["missing required argument '{name}'", 'il manque l’argument {name}'],
  ["option '{name}' argument missing", 'il manque la valeur de l’option {name}'],
  ['A question goes to ask: {command}', 'Une question se pose avec ask : {command}'],
  [
    'The option {name} must be a duration such as {short}, {long} or {longer}, up to {most}; received {value}.',
    'L’option {name} veut une durée telle que {short}, {long} ou {longer}, de {most} au plus ; reçu : {value}.',
  ],
  [
    'A number alone has no unit here: {first}, {second} or {third}?',
    'Un nombre seul n’a pas d’unité ici : {first}, {second} ou {third} ?',
  ],
  ['Interrupted.', 'Interrompu.'],
  ['Everything that was recorded is kept.', 'Tout ce qui était enregistré est gardé.'],
  ['Go on with: {command}', 'Pour continuer : {command}'],
  ['Interrupted while waiting for your answer.', 'Interrompu alors qu’on attendait votre réponse.'],
  ['Nothing was changed.', 'Rien n’a été changé.'],
  [
    'Run it in a folder of its own, or name one with --root.',
    'Lancez la commande dans un dossier à part, ou indiquez-en un avec --root.',
  ],
  ['With --yes nobody is asked.', 'Avec --yes, la question n’est pas posée.'],
  [
    'Nothing can be reviewed: {folder} is in no git repository.',
    'Rien à relire : {folder} n’est dans aucun dépôt git.',
  ],
  [
    'A document that exists can be reviewed anywhere: {command}',
    'Un document qui existe peut être relu partout : {command}',
  ],
  [
    'A model stands behind its program, as in claude:opus, or its provider, as in mistral/mistral-large-latest.',
    'Un modèle se place derrière son programme, comme claude:opus, ou son fournisseur, comme mistral/mistral-large-latest.',
  ],
  [
    'Models of this family are asked through {program}: --agents {id}, or {model} for one of them.',
    'Les modèles de cette famille s’interrogent par {program} : --agents {id}, ou {model} pour l’un d’eux.',
  ],
  [
    '{name} is a persona: a program or a model plays it.',
    '{name} est un persona : un programme ou un modèle le joue.',
  ],
  [
    'To put the last question to a debate: {command}.',
    'Pour soumettre la dernière question à un débat : {command}.',
  ],
  ['To put its question to a debate: {command}.', 'Pour soumettre sa question à un débat : {command}.'],
  [
    '{name} names the newest archive, and is no question.',
    '{name} désigne la dernière archive, et n’est pas une question.',
  ],
  ['To ask further: {command}', 'Pour interroger plus loin : {command}'],
  ['Archives have no numbers.', 'Les archives n’ont pas de numéro.'],
  ['In the order of the list it is: {name}.', 'Dans l’ordre de la liste, c’est : {name}.'],
  ['Look for words with: {command}', 'Pour chercher des mots : {command}'],
  ['A model is named after its program: {command}', 'Un modèle se nomme derrière son programme : {command}'],
  [
    'Put the question in quotes, seats behind --agents and files behind --file: {command}',
    'Mettez la question entre guillemets, les sièges derrière --agents et les fichiers derrière --file : {command}',
  ],
  ['A council needs a question.', 'Il faut une question.'],
  [
    'Give it as the argument, {question}, in a file, question.md, or on stdin.',
    'Donnez-la en argument, {question}, dans un fichier, question.md, ou sur l’entrée standard.',
  ],
  ['Ids have no spaces or capitals.', 'Un identifiant n’a ni espace ni majuscule.'],
  ['Try: {command}', 'Essayez : {command}'],
  // questions on a terminal
  [
    'Nobody has trusted this in {folder}. It would run with your rights:',
    'Personne n’a encore approuvé ceci dans {folder}. Cela s’exécuterait avec vos droits :',
  ],
  ['Trust this? [y/N] ', 'Approuver ? [o/N] '],
  ['Nothing was trusted.', 'Rien n’a été approuvé.'],
  ['Nothing was run either.', 'Rien n’a été lancé non plus.'],
  [
    'Look at the files that are named above, then: {command}',
    'Regardez les fichiers nommés ci-dessus, puis : {command}',
  ],
  [
    'This may cost about {cost} ({launches} launches), more than {most} (askAboveUsd in COUNCIL.md).',
    'Cela peut coûter environ {cost} ({launches} lancements), plus que {most} (askAboveUsd dans COUNCIL.md).',
  ],
  ['Start it? [y/N] ', 'Commencer ? [o/N] '],
  ['Remove {file}? [y/N] ', 'Supprimer {file} ? [o/N] '],
  ['Add them? [y/N] ', 'Les ajouter ? [o/N] '],
  ['Take this over? [y/N] ', 'Reprendre ceci ? [o/N] '],
  [
    'Is {name} a person, who answers in a terminal or a browser? [y/N] ',
    '{name} est-il une personne, qui répond dans un terminal ou un navigateur ? [o/N] ',
  ],
];

/** The same text in French. */
export const toFrenchRefusal = createTranslator(REFUSALS, HINTS);
