// The hashes of ../SPEC.md, written from that page alone, to find out whether the page
// says enough. Run as a program it checks the vectors beside it:
//
//	node schema/testdata/spec.mjs [VECTORS]
//
// Strings are JavaScript's, which are sequences of UTF-16 code units.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

// ---- Canonical JSON

class Refused extends Error {}

const refuse = (word) => { throw new Refused(word) }

// parse reads bytes into {type, ...}: text of numbers and strings, items of arrays, and
// members of objects, a Map in canonical order.
function parse(bytes) {
	if (bytes.length > 1073741824) refuse('size')
	// Latin-1 keeps bytes apart, so that a string can be judged for itself.
	const src = bytes.toString('latin1')
	let at = 0
	let values = 0
	const space = () => { while (at < src.length && ' \t\n\r'.includes(src[at])) at++ }
	const expect = (c) => { if (src[at] !== c) refuse('syntax'); at++ }

	function string() {
		expect('"')
		let raw = ''
		for (;;) {
			if (at >= src.length || src[at] < ' ') refuse('syntax')
			if (src[at] === '"') break
			if (src[at] === '\\') raw += src[at++]
			raw += src[at++]
		}
		at++
		let text
		try {
			text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(raw, 'latin1'))
		} catch {
			refuse('utf8')
		}
		const escape = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt])|[^]?)/g
		return text.replace(escape, (_, hex, short) => {
			if (hex) return String.fromCharCode(parseInt(hex, 16))
			if (!short) refuse('syntax')
			return { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }[short] ?? short
		})
	}

	function value(depth) {
		if (++values > 524288) refuse('values')
		const c = src[at]
		if (c === '"') return { type: 'string', text: string() }
		if (c === '{' || c === '[') {
			if (depth === 512) refuse('depth')
			return c === '[' ? array(depth + 1) : object(depth + 1)
		}
		const token = /null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
		token.lastIndex = at
		const found = token.exec(src)
		if (!found) refuse('syntax')
		at = token.lastIndex
		const text = found[0]
		if (text === 'null') return { type: 'null', text }
		if (text === 'true' || text === 'false') return { type: 'boolean', text }
		return { type: 'number', text }
	}

	// list reads what stands between brackets, separated by commas.
	function list(close, item) {
		at++
		space()
		for (let first = true; src[at] !== close; first = false) {
			if (!first) {
				expect(',')
				space()
			}
			item()
			space()
		}
		at++
	}

	function array(depth) {
		const items = []
		list(']', () => items.push(value(depth)))
		return { type: 'array', items }
	}

	function object(depth) {
		const members = new Map()
		let twice = false
		list('}', () => {
			const name = string()
			space()
			expect(':')
			space()
			twice ||= members.has(name)
			members.set(name, value(depth))
		})
		if (twice) refuse('duplicate')
		// JavaScript compares strings by UTF-16 code units.
		return { type: 'object', members: new Map([...members].sort(([a], [b]) => (a < b ? -1 : 1))) }
	}

	space()
	const root = value(0)
	space()
	if (at < src.length) refuse('syntax')
	return root
}

function quoted(text) {
	let out = '"'
	for (const c of text) { // by code points: half of a pair stands alone
		const code = c.codePointAt(0)
		const short = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' }[c]
		if (short) out += short
		else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) out += '\\u' + code.toString(16).padStart(4, '0')
		else out += c
	}
	return out + '"'
}

function canonical(v) {
	switch (v.type) {
	case 'string': return quoted(v.text)
	case 'array': return list(v.items.map(canonical))
	case 'object': return '{' + [...v.members].map(([name, m]) => quoted(name) + ':' + canonical(m)).join(',') + '}'
	}
	return v.text
}

// ---- Content key

function contentKey(server, definition) {
	const name = server + '__' + definition.members.get('name').text
	const schema = definition.members.get('inputSchema') ?? { type: 'null', text: 'null' }
	return 'bk_' + sha256(`{"name":${quoted(name)},"schema":${canonical(schema)}}`).slice(0, 32)
}

// ---- Contract: terms

function byCodePoints(a, b) {
	const x = [...a]
	const y = [...b]
	for (let i = 0; i < x.length && i < y.length; i++) {
		const d = x[i].codePointAt(0) - y[i].codePointAt(0)
		if (d !== 0) return d
	}
	return x.length - y.length
}

const sorted = (texts) => [...texts].sort(byCodePoints)
const sortedSet = (texts) => sorted(new Set(texts))
const list = (texts) => '[' + texts.join(',') + ']'
const objectOf = (members) => // pairs of name and text; equal names keep their order
	'{' + members.toSorted(([a], [b]) => byCodePoints(a, b)).map(([name, text]) => quoted(name) + ':' + text).join(',') + '}'
const short = (text) => (Buffer.byteLength(text, 'utf8') <= 64 ? text : '<' + sha256(text) + '>')

// ---- Contract: definitions

function contract(kind, v) {
	if (!['tool', 'prompt', 'resource', 'template', 'skill'].includes(kind) || v.type !== 'object') return canonical(v)
	const out = []
	for (const [name, m] of v.members) {
		const text = memberText(kind, name, m)
		if (text !== null) out.push([name, text])
	}
	if (kind === 'tool') out.push(['annotations', hints(v.members.get('annotations'))])
	return objectOf(out)
}

// memberText is null for what is left out.
function memberText(kind, name, m) {
	if (name === '_meta') return null
	if (kind !== 'skill' && ['title', 'description', 'icons'].includes(name)) return null
	if ((kind === 'resource' || kind === 'template') && (name === 'annotations' || name === 'size')) return null
	switch (kind + ' ' + name) {
	case 'tool annotations': return null // added behind
	case 'tool inputSchema': return documentText(m)
	case 'tool outputSchema': return m.type === 'null' ? null : documentText(m)
	case 'tool execution': return execution(m)
	case 'prompt arguments':
		if (m.type === 'null' || (m.type === 'array' && m.items.length === 0)) return null
		return m.type === 'array' ? list(sorted(m.items.map(argument))) : canonical(m)
	case 'skill resources': return m.type === 'array' ? list(sorted(m.items.map(canonical))) : canonical(m)
	}
	return canonical(m)
}

function execution(v) {
	if (v.type === 'null') return null
	if (v.type !== 'object') return canonical(v)
	const left = [...v.members].filter(([name, m]) => !(name === 'taskSupport' && m.type === 'string' && m.text === 'forbidden'))
	return left.length === 0 ? null : objectOf(left.map(([name, m]) => [name, canonical(m)]))
}

function argument(v) {
	if (v.type !== 'object') return canonical(v)
	const left = [...v.members].filter(([name, m]) =>
		name !== 'title' && name !== 'description' && !(name === 'required' && (m.type === 'null' || m.text === 'false' && m.type === 'boolean')))
	return objectOf(left.map(([name, m]) => [name, canonical(m)]))
}

function hints(v) {
	if (v === undefined || v.type === 'null' || (v.type === 'array' && v.items.length === 0)) v = { type: 'object', members: new Map() }
	if (v.type !== 'object') return canonical(v)
	const four = { readOnlyHint: 'false', destructiveHint: 'true', idempotentHint: 'false', openWorldHint: 'true' }
	const out = new Map(Object.entries(four))
	for (const [name, m] of v.members) {
		if (name === 'title' || (Object.hasOwn(four, name) && m.type === 'null')) continue
		out.set(name, canonical(m))
	}
	if (out.get('readOnlyHint') === 'true') {
		out.delete('destructiveHint')
		out.delete('idempotentHint')
	}
	return objectOf([...out])
}

// ---- Contract: documents

const draft2020 = 'json-schema.org/draft/2020-12/schema'
const draft2019 = 'json-schema.org/draft/2019-09/schema'
const draft07 = 'json-schema.org/draft-07/schema'

function featuresOf(root) {
	const f = { scopes: false, siblings: false, deep: false, evaluated: false, dialectal: false, anchors: new Map() }
	const isString = (m) => m.type === 'string'
	function scan(v, naming) {
		if (v.type === 'array') v.items.forEach((item) => scan(item, naming))
		if (v.type !== 'object') return
		for (const [name, m] of v.members) {
			switch (name) {
			case '$id':
				if (v !== root) f.scopes = true
				break
			case '$dynamicRef': case '$recursiveRef': case '$dynamicAnchor': case '$recursiveAnchor':
				f.scopes = true
				break
			case '$anchor':
				if (!isString(m)) break
				f.dialectal = true
				if (naming) f.anchors.set(m.text, f.anchors.has(m.text) ? null : v)
				break
			case '$ref':
				if ([...v.members.keys()].some((n) => !besideRef.includes(n))) f.siblings = f.dialectal = true
				if (isString(m) && isDeep(m.text)) f.deep = true
				break
			case 'format': case 'contentEncoding': case 'contentMediaType':
				if (isString(m)) f.dialectal = true
				break
			case 'items':
				if (m.type === 'array') f.dialectal = true
				break
			case 'unevaluatedItems':
				f.evaluated = f.dialectal = true
				break
			case 'additionalItems': case 'dependencies': case 'prefixItems': case 'unevaluatedProperties':
			case 'dependentRequired': case 'dependentSchemas': case 'minContains': case 'maxContains': case 'contentSchema':
				f.dialectal = true
			}
			scan(m, naming && !['const', 'enum', 'default', 'examples'].includes(name))
		}
	}
	scan(root, true)
	f.dialect = dialectOf(root)
	f.known = ['', draft2020, draft2019, draft07].includes(f.dialect)
	if (!f.known) f.scopes = true
	return f
}

const besideRef = ['$ref', 'title', 'description', '$comment', 'examples', 'deprecated', '$schema', '$defs', 'definitions']

function isDeep(ref) {
	const hash = ref.indexOf('#')
	if (hash < 0) return false
	const rest = ref.slice(hash + 1)
	return /^[/%]/.test(rest) && !/^\/(\$defs|definitions)\/[^/%]*$/.test(rest)
}

function dialectOf(root) {
	const s = root.type === 'object' ? root.members.get('$schema') : undefined
	if (s === undefined) return ''
	if (s.type !== 'string') return 'no text'
	return s.text.replace(/#$/, '').replace(/^https:\/\//, '').replace(/^http:\/\//, '')
}

function documentText(root) {
	const f = featuresOf(root)
	if (f.dialect === draft07 && f.siblings) return '<as sent>' + canonical(root)
	if (!f.scopes) {
		try {
			return new Reader(root, f, false).text()
		} catch (err) {
			if (!(err instanceof Unresolved)) throw err
		}
	}
	if (f.deep) return '<as sent>' + canonical(root)
	return '<spelled>' + new Reader(root, f, true).text()
}

// Unresolved says that resolving fails.
class Unresolved extends Error {}

// ---- Contract: forms

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

// outside is the depth that no <up> leads to.
const outside = Infinity

// A form is {never}, {opaque: text} or {types, values, keywords}; up is the lowest depth
// of a target that an <up> in it leads to.
const plainForm = () => ({ types: null, values: null, keywords: [], up: outside })
const isPlain = (f) => !f.never && f.opaque === undefined
const isEmpty = (f) => isPlain(f) && !f.types && !f.values && f.keywords.length === 0
const add = (f, name, text) => f.keywords.push([name, short(text)])
const keyword = (f, name) => f.keywords.find(([n]) => n === name)

function formText(f) {
	if (f.never) return 'false'
	if (f.opaque !== undefined) return f.opaque
	if (isEmpty(f)) return 'true'
	const members = [...f.keywords]
	if (f.types) members.push(['type', list(f.types.map(quoted))])
	if (f.values) members.push(['enum', list(f.values)])
	return short(objectOf(members))
}

function valueText(v) {
	const text = canonical(v)
	return Buffer.byteLength(text, 'utf8') > 64 ? text[0] + short(text) : text
}

function typeSet(types) {
	const set = sortedSet(types)
	return set.includes('number') ? set.filter((t) => t !== 'integer') : set
}

function normal(text) {
	const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(text)
	let digits = whole + fraction
	let power = BigInt(exponent) - BigInt(fraction.length)
	const trimmed = digits.replace(/0+$/, '')
	power += BigInt(digits.length - trimmed.length)
	digits = trimmed.replace(/^0+/, '')
	if (digits === '') return '0'
	if (power > 536870912n || power < -536870912n) return text
	return sign + digits + (power === 0n ? '' : 'e' + power)
}

// integer is the value of a normal number that counts as one, else null.
function integer(text) {
	const found = /^(-?[0-9]+)(?:e([0-9]+))?$/.exec(text)
	if (!found) return null
	const zeros = Number(found[2] ?? 0)
	return found[1].length + zeros > 40 ? null : BigInt(found[1] + '0'.repeat(zeros))
}

const integerType = (t) => t === 'integer' || t === 'null'

function stringSet(v) {
	if (v.type !== 'array' || v.items.some((item) => item.type !== 'string')) return null
	return list(sortedSet(v.items.map(canonical)))
}

class Reader {
	constructor(root, features, spelled) {
		Object.assign(this, { root, features, spelled, work: 0, open: [], kept: new Map() })
	}

	text() {
		const text = formText(this.target(this.root))
		const { dialect, known, dialectal } = this.features
		if (dialect === '' || dialect === draft2020 || (known && !dialectal)) return text
		return '<' + quoted(dialect) + '>' + text
	}

	spend(n) {
		this.work += n
		if (!this.spelled && this.work > 20000) throw new Unresolved('work')
	}

	target(v) {
		const i = this.open.indexOf(v)
		if (i >= 0) return { opaque: `<up ${this.open.length - 1 - i}>`, up: i }
		if (this.kept.has(v)) return this.kept.get(v)
		const depth = this.open.length
		if (depth >= 128) throw new Unresolved('more than 128 open targets')
		this.open.push(v)
		let f = this.form(v)
		this.open.pop()
		if (f.up <= depth) f = { opaque: `<rec ${formText(f)}>`, up: f.up === depth ? outside : f.up }
		if (f.up === outside) this.kept.set(v, f)
		return f
	}

	form(v) {
		this.spend(1)
		if (v.type === 'boolean') return v.text === 'true' ? plainForm() : { never: true, up: outside }
		if (v.type !== 'object') return { opaque: `<no schema ${canonical(v)}>`, up: outside }
		const s = { form: plainForm(), constant: null, branches: new Map() }
		for (const [name, m] of v.members) this.keyword(s, v, name, m)
		return this.fold(s)
	}

	// sub is the text of a schema in s.
	sub(s, v) {
		const f = this.form(v)
		s.form.up = Math.min(s.form.up, f.up)
		return formText(f)
	}

	keyword(s, owner, name, m) {
		if (!this.read(s, owner, name, m)) add(s.form, name, canonical(m))
	}

	// read is false for what has not the shape of its row.
	read(s, owner, name, m) {
		const resolving = !this.spelled
		switch (name) {
		case 'title': case 'description': case 'examples': case 'example': case '$comment': case 'deprecated':
			return true
		case '$schema':
			return owner === this.root
		case '$id': case '$anchor':
			return resolving && m.type === 'string'
		case '$defs': case 'definitions':
			return resolving || this.named(s, name, m)
		case '$ref':
			if (resolving) this.branch(s, 'allOf', this.target(this.follow(m)))
			return resolving
		case 'type': {
			const items = m.type === 'array' ? m.items : [m]
			if (items.length === 0 || items.some((t) => t.type !== 'string' || !typeNames.includes(t.text))) return false
			s.form.types = typeSet(items.map((t) => t.text))
			return true
		}
		case 'enum':
			if (m.type !== 'array' || m.items.length === 0) return false
			s.form.values = sortedSet(m.items.map(valueText))
			return true
		case 'const':
			s.constant = valueText(m)
			return true
		case 'required': {
			const text = stringSet(m)
			if (text !== null && text !== '[]') add(s.form, name, text)
			return text !== null
		}
		case 'anyOf': case 'oneOf': case 'allOf':
			if (m.type !== 'array' || m.items.length === 0) return false
			for (const item of m.items) this.branch(s, name, this.form(item))
			return true
		case 'properties': case 'patternProperties': case 'dependentSchemas': case 'dependencies': case 'dependentRequired':
			return this.named(s, name, m)
		case 'additionalProperties': case 'unevaluatedProperties': case 'unevaluatedItems': case 'additionalItems':
		case 'contains': case 'not': case 'if': case 'then': case 'else': case 'contentSchema':
			add(s.form, name, this.sub(s, m))
			return true
		case 'items': case 'propertyNames': case 'prefixItems':
			if (m.type === 'array') {
				add(s.form, name, list(m.items.map((item) => this.sub(s, item))))
				return true
			}
			if (name === 'prefixItems') return false
			{
				const text = this.sub(s, m)
				if (text !== 'true' || this.features.evaluated) add(s.form, name, text)
			}
			return true
		case 'minLength': case 'minItems': case 'minProperties':
			if (m.type !== 'number') return false
			if (normal(m.text) !== '0') add(s.form, name, normal(m.text))
			return true
		case 'minimum': case 'maximum': case 'exclusiveMinimum': case 'exclusiveMaximum': case 'multipleOf':
		case 'maxLength': case 'maxItems': case 'maxProperties': case 'minContains': case 'maxContains':
			if (m.type !== 'number') return false
			add(s.form, name, normal(m.text))
			return true
		case 'uniqueItems': case 'nullable': case 'readOnly': case 'writeOnly':
			return m.type === 'boolean' && m.text === 'false'
		}
		return false
	}

	named(s, name, m) {
		if (m.type !== 'object') return false
		const sets = ['dependentSchemas', 'dependencies', 'dependentRequired'].includes(name)
		const members = [...m.members].map(([n, kid]) => [n, (sets ? stringSet(kid) : null) ?? this.sub(s, kid)])
		if (members.length > 0) add(s.form, name, objectOf(members))
		return true
	}

	branch(s, name, form) {
		if (!s.branches.has(name)) s.branches.set(name, [])
		s.branches.get(name).push(form)
	}

	follow(m) {
		if (m.type !== 'string' || m.text[0] !== '#') throw new Unresolved('not of this document')
		let rest
		try {
			rest = m.text.slice(1).replace(/(?:%[0-9a-fA-F]{2})+|%/g, (escapes) => decodeURIComponent(escapes))
		} catch {
			throw new Unresolved('escape')
		}
		let v = this.root
		if (rest !== '' && rest[0] !== '/') v = this.features.anchors.get(rest)
		else if (rest !== '') for (const token of rest.slice(1).split('/')) v = step(v, token.replaceAll('~1', '/').replaceAll('~0', '~'))
		if (!v || (v.type !== 'object' && v.type !== 'boolean')) throw new Unresolved('leads nowhere')
		return v
	}

	fold({ form: f, constant, branches }) {
		const known = this.features.known
		if (constant !== null) {
			if (!f.values && known) f.values = [constant]
			else add(f, 'const', constant)
		}
		if (known) {
			inclusive(f, 'exclusiveMinimum', 'minimum', 1n)
			inclusive(f, 'exclusiveMaximum', 'maximum', -1n)
			for (const name of ['anyOf', 'oneOf']) {
				if (branches.get(name)?.length > 1) branches.set(name, this.merge(branches.get(name), name === 'oneOf'))
			}
		}
		for (const name of ['anyOf', 'oneOf', 'allOf']) {
			const forms = branches.get(name)
			if (!forms) continue
			if (forms.length === 1 && known && branches.size === 1) {
				const adopted = this.adopt(f, forms[0])
				if (adopted) {
					f = adopted
					continue
				}
			}
			const texts = forms.map(formText)
			f.up = Math.min(f.up, ...forms.map((b) => b.up))
			add(f, name, list(name === 'oneOf' ? sorted(texts) : sortedSet(texts)))
		}
		return known && isPlain(f) ? simplify(f) : f
	}

	adopt(f, b) {
		const up = Math.min(f.up, b.up)
		if (isEmpty(f)) return { ...b, up }
		if (!isPlain(b)) return null
		const own = f.keywords
		const free = own.length === 0 || (own.length === 1 && own[0][0] === 'default' && !keyword(b, 'default'))
		if (!free || (f.types && b.types) || (f.values && b.values)) return null
		if (keyword(b, 'nullable') && (f.types || f.values)) return null
		this.spend(b.keywords.length + (b.values?.length ?? 0))
		return { types: f.types ?? b.types, values: f.values ?? b.values, keywords: [...own, ...b.keywords], up }
	}

	merge(branches, one) {
		const groups = { values: [], types: [], others: [] }
		for (const b of branches) {
			this.spend(b.values?.length ?? 0)
			const bare = isPlain(b) && b.keywords.length === 0
			if (bare && b.values && !b.types) groups.values.push(b)
			else if (bare && b.types && !b.values) groups.types.push(b)
			else groups.others.push(b)
		}
		const values = groups.values.flatMap((b) => b.values)
		if (groups.values.length > 1 && !(one && (new Set(values).size < values.length || values.some((t) => /^[-{[0-9]/.test(t))))) {
			groups.values = [{ ...plainForm(), values: sortedSet(values) }]
		}
		const types = groups.types.flatMap((b) => b.types)
		if (groups.types.length > 1 && !(one && typeSet(types).length < types.length)) {
			groups.types = [{ ...plainForm(), types: typeSet(types) }]
		}
		const merged = [...groups.values, ...groups.types, ...groups.others]
		if (merged.length !== 2) return merged
		for (const [a, b] of [merged, merged.toReversed()]) {
			const isNull = isPlain(a) && !a.types && a.keywords.length === 0 && a.values?.length === 1 && a.values[0] === 'null'
			if (!isNull || !isPlain(b) || !b.types || b.values || b.types.includes('null')) continue
			if (b.keywords.every(([name]) => passNull.includes(name))) return [{ ...b, types: typeSet([...b.types, 'null']) }]
		}
		return merged
	}
}

const passNull = ('minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
	'items prefixItems minItems maxItems uniqueItems contains minContains maxContains properties ' +
	'patternProperties additionalProperties propertyNames required minProperties maxProperties ' +
	'dependentRequired dependentSchemas').split(' ')

function step(v, token) {
	if (v?.type === 'object') return v.members.get(token)
	if (v?.type === 'array' && /^(0|[1-9][0-9]*)$/.test(token)) return v.items[Number(token)]
	return undefined
}

function inclusive(f, exclusive, name, delta) {
	const at = f.keywords.findIndex(([n]) => n === exclusive)
	if (!f.types || !f.types.every(integerType) || at < 0 || keyword(f, name)) return
	const bound = integer(f.keywords[at][1])
	if (bound !== null) f.keywords[at] = [name, normal(String(bound + delta))]
}

function fits(text, types) {
	const type = { '"': 'string', '{': 'object', '[': 'array', t: 'boolean', f: 'boolean', n: 'null' }[text[0]]
	if (type) return types.includes(type)
	return types.includes('number') || (types.includes('integer') && !/[.eE<]/.test(text))
}

function simplify(f) {
	if (f.values && f.types && f.values.every((v) => fits(v, f.types))) f = { ...f, types: null }
	if (!f.values && f.types?.length === 1 && f.types[0] === 'null') f = { ...f, types: null, values: ['null'] }
	if (!f.types && !f.values && f.keywords.length === 1 && f.keywords[0][0] === 'not' && f.keywords[0][1] === 'true') return { never: true, up: f.up }
	return f
}

// ---- Vectors

function inputOf(v) {
	if (v.base64 !== undefined) return Buffer.from(v.base64, 'base64')
	if (Array.isArray(v.input)) return Buffer.from(v.input.map(([text, times]) => text.repeat(times)).join(''), 'utf8')
	return Buffer.from(v.input, 'utf8')
}

// resultOf has the members of a vector that this page leads to.
function resultOf(v) {
	let value
	try {
		value = parse(inputOf(v))
	} catch (err) {
		if (err instanceof Refused) return { error: err.message }
		throw err
	}
	const text = contract(v.kind, value)
	const result = { canonical: canonical(value), full: 'sha256:' + sha256(canonical(value)), text, contract: 'sha256:' + sha256(text) }
	if (v.server !== undefined) result.key = contentKey(v.server, value)
	return result
}

function check(file) {
	const { vectors } = JSON.parse(readFileSync(file, 'utf8'))
	let wrong = 0
	for (const v of vectors) {
		const got = resultOf(v)
		for (const member of ['error', 'canonical', 'full', 'text', 'contract', 'key']) {
			const optional = (member === 'canonical' || member === 'text') && v[member] === undefined
			if (optional && v.error === undefined || got[member] === v[member]) continue
			wrong++
			console.error(`${v.name}: ${member}\n got ${got[member]}\nwant ${v[member]}`)
		}
	}
	console.log(`${vectors.length} vectors, ${wrong} differences`)
	process.exitCode = wrong > 0 || vectors.length < 200 ? 1 : 0
}

// What is nested deeply needs a larger stack than the main thread has.
if (isMainThread) {
	new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), resourceLimits: { stackSizeMb: 200 } })
		.on('exit', (code) => { process.exitCode = code })
} else {
	check(process.argv[2] ?? new URL('vectors.json', import.meta.url))
}
