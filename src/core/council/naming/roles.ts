// Words by which agents are called that are words of every text as well: the roles that council ships, and fields of work.

const ROLES = `
  completeness consistency language precision rapporteur structure orchestrator research worker

  accessibility accounting admin advocate agent analysis analyst api architect architecture assistant audit auditor backend
  brand budget build business change chair climate cloud code coder coding communication community compliance content
  context coordinator cost creative critic critique culture customer customers cyber data database debug debugger debugging
  delivery deployment design designer developer development devops director docs documentation domain economics economist
  editor education energy engine engineer engineering environment ethics evaluation evidence executive experience expert
  finance frontend fullstack game generalist governance growth hardware health history historian human implementation
  impact incident infra infrastructure innovation integration investor journalist judge law lawyer lead leader learning
  legal logic logistics machine maintainer maintenance manager management market marketing math maths mediator mentor
  migration mobile model moderator monitoring network operations operator ops optimist optimizer owner patient payment
  payments people performance pessimist philosophy planner planning platform policy politics pragmatist pricing privacy
  procurement product production programmer project prompt psychology public qa quality query recruiter refactoring
  regulation release reliability reporter researcher resilience retail reviewer review revenue risk risks safety sales
  scalability science scientist scout search secretary security senior server service simplicity skeptic sceptic social
  software specialist sre staff statistics stakeholder storage story strategist strategy student supervisor supply support
  sustainability system systems tax teacher team tech technical technology test tester testing tests theory time tools
  trainer translator treasury trend ui usability usage user users ux validation validator value vendor verifier visual web
  workflow writer writing

  bank blue caution con correctness credit doubt facts fairness first focus food freedom future green home housing ideas
  insurance latency maintainability memory money nature past progress pro readability red second skills speed stability
  traffic transport trust truth vision water white black yellow

  accessibilité achat achats analyse architecte avocat client clients coût coûts critique directeur donnée données droit
  développeur développement économie écologie éthique finances ingénieur juge juridique langage langue marché médiateur
  métier performances précision prix produit produits qualité recherche relecteur réseau risque risques santé sécurité
  simplicité stratégie technique temps utilisateur utilisateurs vente ventes
`;

export const ROLE_WORDS: ReadonlySet<string> = new Set(ROLES.trim().split(/\s+/));
