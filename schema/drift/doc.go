// Package drift says what changed between two surfaces of a server, and whom it
// breaks. Two snapshots go in, classified changes come out: no network, no disk,
// no clock.
//
// Every change carries the id of a rule from one catalogue, see [Rules]. What a
// rule says of a schema is a first guess only: package schema/compat decides
// whether a change is safe, for the schema as a whole and for the place. A
// change is called safe if that is proven, and unknown if it is neither proven
// nor refuted.
//
// Everything in a surface is hostile. Messages quote names so that nothing in
// them can act on a terminal; Before, After and Witness are JSON as the server
// wrote it, and escaping them is for who prints them.
package drift
