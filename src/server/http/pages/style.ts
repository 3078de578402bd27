// What the pages of the server look like, beyond what archives look like.
export const SITE_STYLE = `
.skip{position:absolute;left:-100rem}
.skip:focus{position:static}
main:focus{outline:none}
.site{padding-bottom:.25rem;margin-bottom:1rem;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1rem;border-bottom:1px solid var(--line)}
.site ul{margin:.5rem 0}
.site form{margin:0}
[aria-current]{font-weight:600;color:var(--text);text-decoration:none}
label,legend{font-weight:600}
label{display:block;margin:.75rem 0 .25rem}
fieldset label{font-weight:400;margin:.25rem 0}
.start fieldset label{padding-left:1.6rem;text-indent:-1.6rem}
input,textarea,select,button{font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--soft);border-radius:.25rem;padding:.35rem .6rem;max-width:100%}
select{min-height:2.75rem}
textarea{display:block;width:100%;min-height:10rem;font-family:ui-monospace,monospace;font-size:.95rem}
button{cursor:pointer;min-height:2.25rem;background:var(--raised);font-weight:600}
button.quiet{font-weight:400;background:none}
button.danger{color:var(--warning);border-color:var(--warning)}
input:focus-visible,textarea:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid var(--link);outline-offset:2px}
fieldset{border:1px solid var(--line);border-radius:.25rem;margin:.75rem 0;padding:.5rem .75rem}
textarea.few{min-height:4rem}
.start input:not([type=checkbox]){width:100%}
.narrow{max-width:24rem}
.narrow input:not([type=checkbox]){width:100%;margin-bottom:.75rem}
.sure{display:flex;gap:.5rem;align-items:center;min-height:2.75rem;font-weight:400}
.sure input{width:1.4rem;height:1.4rem}
.ways{margin:.25rem 0}
#now .sat{display:none}
.ending{font-weight:400}
.link{width:100%;font-family:ui-monospace,monospace}
.card{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem;margin:.75rem 0}
.card h2,.card h3{margin:.25rem 0}
.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}
.filters{flex-basis:100%;min-width:0}
.row>div{min-width:0;max-width:100%}
.row label{margin-top:.25rem}
.row>button,.narrow button{min-height:2.75rem}
.start .row{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));align-items:start}
.start select{width:100%}
.decision{margin:.35rem 0}
.decision form{border-left:2px solid var(--line);padding:.1rem 0 .75rem 1rem;margin:.25rem 0 .75rem .25rem}
.narrow select{display:block;margin-bottom:.75rem}
.notice{border-left:4px solid var(--c2);background:var(--raised);padding:.5rem .75rem;margin:.75rem 0}
.bad{color:var(--warning);font-weight:600}
#lost:empty{display:none}
#lost{position:sticky;top:0;z-index:2;background:var(--ground);border-bottom:2px solid var(--warning);margin:0;padding:.5rem 0}
#seats .wide,.rows .wide{overflow-x:visible}
@media (max-width:480px){:is(#seats,.rows) :is(table,caption,tbody,tr){display:block}:is(#seats,.rows) thead{position:absolute;left:-100rem}:is(#seats,.rows) tr{border:1px solid var(--line);margin:.5rem 0;padding:.25rem .5rem}:is(#seats,.rows) :is(tbody th,td){display:block;border:0;padding:.1rem 0;overflow-wrap:anywhere}:is(#seats,.rows) a{white-space:normal}:is(#seats,.rows) td:empty{display:none}td[data-of]::before{content:attr(data-of);color:var(--soft)}.site{gap:.25rem .5rem;font-size:.9rem}.site ul{gap:.25rem .75rem}.site button{padding:.35rem .4rem}}
`;
