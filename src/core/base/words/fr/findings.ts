// French for what doctor finds, and for the lists of agents and modes: in the code these sentences are English. Pure.
import { REFUSALS } from '../refusals.ts';
import { createTranslator } from '../to-french.ts';
import type { FrenchRow } from '../to-french.ts';

export const FINDINGS: readonly FrenchRow[] = [
  ['warning', 'alerte'],
  ['error', 'erreur'],
  ['0 errors', 'aucune erreur'],
  ['1 error', '1 erreur'],
  ['{count} errors', '{count} erreurs'],
  ['0 warnings', 'aucune alerte'],
  ['1 warning', '1 alerte'],
  ['{count} warnings', '{count} alertes'],
  ['All is well.', 'Tout va bien.'],
  ['{root} is a project without {shared}.', '{root} est un projet sans {shared}.'],
  ['Node {version} (needed: {range})', 'Node {version} (il faut : {range})'],
  [
    'Node {version} is too old: council needs {range}.',
    'Node {version} est trop ancien : council demande {range}.',
  ],
  ['Install Node 24: {url}', 'Installez Node 24 : {url}'],
  ['Missing in {home}: {missing}.', 'Il manque dans {home} : {missing}.'],
  ['Install council again (in a clone: npm ci)', 'Installez council de nouveau (dans un clone : npm ci)'],
  [
    '{count} modes, agents and house rules in {folder}',
    '{count} modes, agents et règles de la maison dans {folder}',
  ],
  ['{path} can be read (mode {mode}, lang {lang})', '{path} se lit bien (mode {mode}, langue {lang})'],
  [
    'There is no {path}: no house rules, defaults everywhere.',
    'Il n’y a pas de {path} : pas de règles de la maison, et partout les valeurs par défaut.',
  ],
  [
    'There is no agent {name}, but the settings name it.',
    'Il n’y a pas d’agent {name}, mais les réglages le nomment.',
  ],
  [
    'There is no mode {name}, but the settings name it.',
    'Il n’y a pas de mode {name}, mais les réglages le nomment.',
  ],
  [
    'No agent in {folder}: "council run" seats what is on PATH, or checks a document with the offline panel.',
    'Aucun agent dans {folder} : « council run » fait siéger ce qui est dans le PATH, ou vérifie un document avec le panel hors ligne.',
  ],
  ['council init, or: {command}', 'council init, ou : {command}'],
  ['{count} in {folder}: {names}', '{count} dans {folder} : {names}'],
  ['Edit {path}', 'Modifiez {path}'],
  [
    'Waiting for trust in {root}, and not run until then: {names}.',
    'Attend votre confiance dans {root}, et n’est pas lancé d’ici là : {names}.',
  ],
  ['{program} cannot be seated: {problem}', '{program} ne peut pas siéger : {problem}'],
  [
    'None of {names} is on PATH: without agents "council run" can check a document with the offline panel, and answer no question.',
    'Aucun de {names} n’est dans le PATH : sans agent, « council run » peut vérifier un document avec le panel hors ligne, mais ne répond à aucune question.',
  ],
  ['Install one, for example: {command}', 'Installez-en un, par exemple : {command}'],
  [
    'None of {names} is on PATH, and the agents here need none',
    'Aucun de {names} n’est dans le PATH, et les agents d’ici n’en ont pas besoin',
  ],
  ['Not on PATH: {names}', 'Pas dans le PATH : {names}'],
  ['{id} was not asked: it waits for trust.', '{id} n’a pas été interrogé : il attend votre confiance.'],
  [
    'No agent of this project is launched: nobody to ask',
    'Aucun agent de ce projet n’est lancé : personne à interroger',
  ],
  ['{id} answered in {time}: {text}', '{id} a répondu en {time} : {text}'],
  ['{id} did not answer ({time}): {reason}', '{id} n’a pas répondu ({time}) : {reason}'],
  ['{where} is mounted read-only.', '{where} est monté en lecture seule.'],
  ['Mount it writable', 'Montez-le en écriture'],
  [
    '{where} is kept by another machine: several machines at one council are not supported, and a power cut there may undo what was acknowledged.',
    '{where} est tenu par une autre machine : plusieurs machines à un même conseil ne sont pas prises en charge, et une coupure de courant là-bas peut défaire ce qui a été confirmé.',
  ],
  ['Move the project to a local disk', 'Déplacez le projet sur un disque local'],
  [
    '{path} lies in {folder}, which {program} syncs: where two machines go on with one council, answers are kept aside.',
    '{path} se trouve dans {folder}, que {program} synchronise : si deux machines continuent un même conseil, des réponses sont mises de côté.',
  ],
  ['Move the project out of it.', 'Sortez-en le projet.'],
  [
    'For several machines: council help serve, or a project in PostgreSQL',
    'Pour plusieurs machines : council help serve, ou un projet dans PostgreSQL',
  ],
  ['{where}, hard links work, local', '{where}, liens physiques possibles, local'],
  ['{where}, hard links work', '{where}, liens physiques possibles'],
  ['Damaged texts were set aside: {names}.', 'Des textes abîmés ont été mis de côté : {names}.'],
  ['Check that nothing in them is needed.', 'Vérifiez que rien n’y est nécessaire.'],
  ['{folder}: 0 active councils, all sound', '{folder} : aucun conseil en cours'],
  ['{folder}: 1 active council, all sound', '{folder} : 1 conseil en cours, en bon état'],
  ['{folder}: {count} active councils, all sound', '{folder} : {count} conseils en cours, tous en bon état'],
  [
    '{folder}: {count}, all sound, {edits} kept in .edits/',
    '{folder} : {count}, en bon état, {edits} gardées dans .edits/',
  ],
  [
    '{path} has no history here (a fresh clone?): the next command imports it.',
    '{path} n’a pas d’historique ici (un clone récent ?) : la prochaine commande l’importe.',
  ],
  [
    '{name}: revision {revision} is damaged on the disk.',
    '{name} : la révision {revision} est abîmée sur le disque.',
  ],
  ['Reading it repairs it.', 'La lire la répare.'],
  [
    '{name}: revision {revision} is missing, and {path} still shows it.',
    '{name} : la révision {revision} manque, et {path} la montre encore.',
  ],
  ['Reading puts it back.', 'La lecture la remet en place.'],
  ['{path} stands where no council is active.', '{path} se trouve là où aucun conseil n’est en cours.'],
  [
    '{path} was changed by hand, and no state block can be read in it.',
    '{path} a été modifié à la main, et aucun bloc d’état ne s’y lit.',
  ],
  ['{command} (puts it back, and keeps a copy)', '{command} (le remet en place et garde une copie)'],
  ['{path} was changed by hand.', '{path} a été modifié à la main.'],
  ['{adopt} (takes it) or {restore} (drops it)', '{adopt} (la reprend) ou {restore} (l’abandonne)'],
  ['{path} is empty.', '{path} est vide.'],
  ['Reading puts it back from revision {revision}.', 'La lecture le rétablit depuis la révision {revision}.'],
  [
    '{path} does not show revision {revision}: it is {shown}.',
    '{path} ne montre pas la révision {revision} : c’est {shown}.',
  ],
  ['{path} is not a folder.', '{path} n’est pas un dossier.'],
  ['Belongs to another user: {names}.', 'Appartient à un autre utilisateur : {names}.'],
  ['Set XDG_STATE_HOME to a folder of your own', 'Donnez à XDG_STATE_HOME un dossier à vous'],
  [
    '{path} has mode {mode}: others can look into it; 0700 is right.',
    '{path} a les droits {mode} : d’autres peuvent y regarder ; il faut 0700.',
  ],
  ['{count} open to others: {names}', '{count} d’accès ouvert à d’autres : {names}'],
  ['{path} is made when it is first needed', '{path} sera créé au premier besoin'],
  ['{path}: yours alone ({mode})', '{path} : à vous seul ({mode})'],
  ['{path} is a copy of {of} and is not used.', '{path} est une copie de {of} et ne sert pas.'],
  [
    '{path} is a copy of {of}, and every answer in it stands in the council as well.',
    '{path} est une copie de {of}, et chacune de ses réponses figure aussi dans le conseil.',
  ],
  [
    '{path} is a copy of {of}, and council does not look at what it says.',
    '{path} est une copie de {of}, et council ne regarde pas ce qu’elle dit.',
  ],
  [
    '1 heartbeat is at work now; for the time after that: council install',
    '1 heartbeat est à l’œuvre ; pour la suite : council install',
  ],
  [
    '{count} heartbeats are at work now; for the time after that: council install',
    '{count} heartbeats sont à l’œuvre ; pour la suite : council install',
  ],
  [
    '1 council is active, and no schedule calls tick here: without one, phases close only while "council run" or "council heartbeat" is at work.',
    '1 conseil est en cours, et rien n’appelle tick ici : sans cela, les phases ne se ferment que tant que « council run » ou « council heartbeat » travaille.',
  ],
  [
    '{count} councils are active, and no schedule calls tick here: without one, phases close only while "council run" or "council heartbeat" is at work.',
    '{count} conseils sont en cours, et rien n’appelle tick ici : sans cela, les phases ne se ferment que tant que « council run » ou « council heartbeat » travaille.',
  ],
  [
    'council install, or council heartbeat in the foreground',
    'council install, ou council heartbeat au premier plan',
  ],
  [
    'nothing is installed; "council run" needs none, councils opened with "council start" do: council install',
    'rien n’est installé ; « council run » s’en passe, les conseils ouverts par « council start » non : council install',
  ],
  ['cron calls tick: {when}', 'cron appelle tick : {when}'],
  [
    'The crontab calls another Node or council than this one ({names}).',
    'La crontab appelle un autre Node ou un autre council que celui-ci ({names}).',
  ],
  ['a systemd timer calls tick: {name}', 'une minuterie systemd appelle tick : {name}'],
  [
    'The systemd timer {name} is there, but systemctl is not.',
    'La minuterie systemd {name} est là, mais pas systemctl.',
  ],
  ['The systemd timer {name} is {state}.', 'La minuterie systemd {name} est {state}.'],
  [
    "Others can read {path}, where the agents' keys are.",
    'D’autres peuvent lire {path}, où sont les clés des agents.',
  ],
  [
    'The command of {by} cannot be tried: {problem}.',
    'La commande de {by} ne peut pas être essayée : {problem}.',
  ],
  ['as {by} runs it: {message}', 'tel que {by} le lance : {message}'],
  ['{path} is not what was recorded: {names}.', '{path} n’est pas ce qui a été enregistré : {names}.'],
  [
    'Take the file back from your version control or a backup',
    'Reprenez le fichier dans votre gestion de versions ou une sauvegarde',
  ],
  ['{count} archive(s), all as they were recorded', '{count} archive(s), toutes telles qu’enregistrées'],
  ['git is not installed', 'git n’est pas installé'],
  ['not in a git repository', 'pas dans un dépôt git'],
  ['git does not say which files it tracks: {why}', 'git ne dit pas quels fichiers il suit : {why}'],
  [
    'git tracks {count} that only council may change: {names}.',
    'git suit {count}, que seul council doit modifier : {names}.',
  ],
  ['A checkout would bring old ones back.', 'Un checkout ramènerait d’anciennes versions.'],
  ['git does not ignore {names}.', 'git n’ignore pas {names}.'],
  ['council init (adds the lines to .gitignore)', 'council init (ajoute les lignes à .gitignore)'],
  ['git ignores what only council may change', 'git ignore ce que seul council doit modifier'],
  [
    '{count} of the last {days} days could not be delivered.',
    '{count} des {days} derniers jours n’ont pas pu être distribués.',
  ],
  [
    'The watcher of {agent} was killed, or crashed, after {time}: messages to it wait.',
    'La veille de {agent} a été tuée, ou s’est arrêtée, après {time} : ses messages attendent.',
  ],
  [
    '{server} is PostgreSQL {version}; council needs 14 or newer.',
    '{server} est PostgreSQL {version} ; council demande 14 ou plus récent.',
  ],
  ['Move to a newer server', 'Passez à un serveur plus récent'],
  ['{server} keeps texts in {encoding}.', '{server} garde les textes en {encoding}.'],
  [
    '{server} is a replica: nothing can be committed there.',
    '{server} est une réplique : rien ne peut y être enregistré.',
  ],
  ['Give the address of its primary server', 'Donnez l’adresse de son serveur principal'],
  ['{server} lets this role read only.', '{server} ne laisse ce rôle que lire.'],
  [
    '{server} runs with fsync=off: a power failure there destroys what was acknowledged.',
    '{server} tourne avec fsync=off : une coupure de courant y détruit ce qui a été confirmé.',
  ],
  [
    'The way to {server} is not encrypted: who sees the network sees every text.',
    'Le chemin vers {server} n’est pas chiffré : qui voit le réseau voit chaque texte.',
  ],
  ['Add sslmode=verify-full to the address', 'Ajoutez sslmode=verify-full à l’adresse'],
  [
    'No blind council can be started: the role {role} {way}.',
    'Aucun conseil à l’aveugle ne peut commencer : le rôle {role} {way}.',
  ],
  ['Connect as a role of its own: {page}', 'Connectez-vous avec un rôle à part : {page}'],
  [
    'This role cannot look at sealed texts, and the log tells none',
    'Ce rôle ne peut pas voir les textes scellés, et le journal n’en dit aucun',
  ],
  ['No agent yet.', 'Pas encore d’agent.'],
  ['council ask seats the programs on PATH.', 'council ask fait siéger les programmes du PATH.'],
  [
    'Add another: council agents add ID -- PROGRAM',
    'Pour en ajouter un autre : council agents add ID -- PROGRAMME',
  ],
  ['Workers that have joined:', 'Workers qui se sont joints :'],
  [
    'Built-in, for checking documents without a model (--panel offline): {names}.',
    'Fournis, pour vérifier des documents sans modèle (--panel offline) : {names}.',
  ],
  [
    'Personas for a program, as claude@skeptic: council agents personas',
    'Des personas pour un programme, comme claude@skeptic : council agents personas',
  ],
  ['Tables, for --table:', 'Tables, pour --table :'],
  ['{facts}; project', '{facts} ; projet'],
  ['{facts}; user', '{facts} ; utilisateur'],
  ['Added {id} ({runner}): {path}', '{id} ajouté ({runner}) : {path}'],
  ['There is nothing to change in {id}.', 'Il n’y a rien à changer dans {id}.'],
  ['Changed {id} ({keys}): {path}', '{id} modifié ({keys}) : {path}'],
  ['Removed {path}', 'Supprimé : {path}'],
  ['{id} has no key.', '{id} n’a pas de clé.'],
  [
    'Removed the key of {id}: its messages are believed unsigned.',
    'Clé de {id} supprimée : ses messages sont crus sans signature.',
  ],
  ['{time} a phase', '{time} par phase'],
  [
    'For reasoning, a choice: argue positions, test them against each other once, vote.',
    'Pour raisonner, choisir : défendre des positions, les confronter une fois, voter.',
  ],
  [
    'For knowledge, a cause: find the explanation that the evidence supports, by consensus, and say how sure one may be.',
    'Pour savoir, trouver une cause : l’explication que les faits soutiennent, par consensus, et jusqu’où on peut en être sûr.',
  ],
  [
    'For figures and gaps: find what does not add up in a decision document, and what is worth a second look; gives no verdict.',
    'Pour les chiffres et les lacunes : ce qui ne tombe pas juste dans un document de décision, et ce qui mérite un second regard ; sans verdict.',
  ],
  [
    'Review a change, with findings whose code is looked up, one cross-round, and a verdict by rule.',
    'Relire un changement : des constats dont le code est vérifié, un tour croisé, et un verdict selon la règle.',
  ],
  ['For `council review`.', 'Pour `council review`.'],
  [
    'For requirements: work out what a product must do, what it must not, and how to tell that it does.',
    'Pour des exigences : ce qu’un produit doit faire, ce qu’il ne doit pas faire, et à quoi on le voit.',
  ],
  [
    'For texts and ideas that can stand alone: independent answers, which everybody then ranks without knowing whose they are.',
    'Pour des textes et des idées qui tiennent seuls : des réponses indépendantes, que tous classent ensuite sans savoir de qui elles sont.',
  ],
  [
    'For a document or a change: find what is wrong with it, test that in one round across, agree on how bad it is, and say what to fix.',
    'Pour un document ou un changement : trouver ce qui ne va pas, l’éprouver en un tour croisé, s’accorder sur la gravité, et dire quoi corriger.',
  ],
  [
    'For a text: independent drafts of the same one, merged by the coordinator.',
    'Pour un texte : des versions indépendantes, que la coordination réunit.',
  ],
];

/** A line of doctor, agents or modes in French. */
export const toFrenchFinding = createTranslator(FINDINGS, REFUSALS);
