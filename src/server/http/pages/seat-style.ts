// What a seat looks like: one column, and whatever is pressed is large enough for a thumb.
export const SEAT_STYLE = `
[data-seat]{border-top:2px solid var(--line);margin-top:1.5rem;padding-top:.5rem}
[data-seat] button,.to-form,.quoting{min-height:2.75rem}
.to-form{display:inline-block;padding:.6rem 0;font-weight:600}
[data-seat] summary{min-height:2.75rem;padding:.6rem 0}
button.main{background:var(--link);border-color:var(--link);color:var(--ground)}
.actions[hidden]{display:none}
.actions{flex-wrap:nowrap;align-items:stretch;position:sticky;bottom:0;background:var(--ground);padding:.5rem 0;margin-top:.75rem}
input:not([type=radio]):not([type=checkbox]):not([type=hidden]){width:100%;max-width:40rem;min-height:2.75rem}
#stale,#stale-over{position:sticky;top:0;z-index:1}
textarea.short{min-height:5rem}
.choice{display:flex;gap:.6rem;align-items:flex-start;min-height:2.75rem;padding:.5rem 0;margin:0;font-weight:400}
.choice input{flex:none;width:1.4rem;height:1.4rem;margin:.1rem 0 0}
.choice span{min-width:0;overflow-wrap:anywhere}
[aria-invalid=true]{border-color:var(--warning);border-width:2px}
.report{border-left:4px solid var(--link);padding:.25rem .75rem;margin:1rem 0}
.report[data-came=refused]{border-left-color:var(--warning)}
.report:target{outline:none}
.report h2{margin-top:.25rem}
.report h2:focus{outline:none}
.preview{border:1px solid var(--line);border-radius:.25rem;padding:.25rem .75rem}
.quoting{position:fixed;right:1rem;bottom:4.75rem;z-index:1;border:2px solid var(--link)}
ul.plain{list-style:none;padding:0}
ul.plain li{margin:.35rem 0}
.claims button{min-height:2rem}
`;
