/** Words that say nothing about a tool. A query is a sentence of a person or a model, so more of its words carry no meaning. */

const inTexts = 'a an and are as at be by for from if in is it of on or that the this to with';

const inQueries = `
about after again all also am another any anyone around because been before being but can cant could currently did do does
doesnt doing dont each either else even ever every get gets getting give gives go going gonna got had has have having he hello
help her here hey hi him his hoping how i id if ill im into its ive just kind kindly know let lets like likes looking lot me
might mine more most much must my myself need needed needs now okay one only onto other our ours out over own please quite
really s she should so some someone something sort such suggest sure t tell than thank thanks their them then there
these they thing things those through too try trying under up upon us use used using very via want wanted wants was we well were
what whats when where whether which while who whom whose why will wish without wonder would yes yet you your yours yourself
`;

export const textStopWords: ReadonlySet<string> = new Set(inTexts.split(' '));

export const queryStopWords: ReadonlySet<string> = new Set([...textStopWords, ...inQueries.trim().split(/\s+/)]);
