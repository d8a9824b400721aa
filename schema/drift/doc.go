// Package drift finds the changes between two surfaces of a server and classifies whom they break. Its input is
// two snapshots, its output classified changes: it uses no network, disk or clock.
//
// Every change has the id of a rule from one catalogue, see [Rules]. For schemas, the severity of a rule is
// only a first guess: package schema/compat decides whether a change is safe, for the whole schema and for the
// place. A change is safe if that is proven, and unknown if it is neither proven nor refuted.
//
// Everything in a surface is hostile. Messages quote names so that names cannot act on a terminal. Before,
// After and Witness are JSON as the server wrote it; callers that print them must escape them.
package drift
