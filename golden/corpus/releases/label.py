"""Says what of a pair of listings is a proven break, by a validator that is not mcpgen's.

    label.py PAIR.json.gz ...    prints the labels of the pairs as JSON

A value is made of the old arguments (of the new result), as a generated client can send
it: no undeclared members where the schema does not say that there are any. It has to be
valid by its own schema. If the other one refuses it, it is a witness. Results are read by
clients that pass over what they do not know, so a closed object of the old side counts
as open. A tool without a witness is not proven to be safe."""
import copy, gzip, itertools, json, os, sys
from jsonschema.validators import validator_for
from jsonschema import Draft202012Validator

SAFE = 2 ** 53 - 1

def validator(schema):
    return validator_for(schema, default=Draft202012Validator)(schema)

def accepts(v, schema, value):
    try:
        return v.evolve(schema=schema).is_valid(value)
    except Exception:
        return None  # a pattern that Python cannot read, or a reference that leads nowhere

def resolve(root, schema):
    for _ in range(20):
        if not isinstance(schema, dict) or '$ref' not in schema:
            return schema
        at = root
        try:
            for part in schema['$ref'].lstrip('#').split('/')[1:]:
                at = at[int(part)] if isinstance(at, list) else at[part.replace('~1', '/').replace('~0', '~')]
        except (KeyError, ValueError, IndexError, TypeError):
            return {}
        schema = {**(at if isinstance(at, dict) else {}), **{k: x for k, x in schema.items() if k != '$ref'}}
    return {}

class Maker:
    def __init__(self, schema, other):
        self.root, self.other, self.v = schema, other, validator(schema)

    def hints(self, hints):
        """The other side's schemas for the same place, with their alternatives."""
        out = []
        for h in hints:
            h = resolve(self.other, h)
            if isinstance(h, dict):
                out.append(h)
                for key in ('anyOf', 'oneOf', 'allOf'):
                    out += [x for x in (resolve(self.other, y) for y in h.get(key, [])) if isinstance(x, dict)]
        return out

    def make(self, schema, hints, depth=0, limit=60):
        made, seen = [], set()
        for value in self.some(schema, hints, depth):
            key = json.dumps(value, sort_keys=True)
            if key not in seen and accepts(self.v, schema, value):
                seen.add(key)
                made.append(value)
                if len(made) >= limit:
                    break
        return made

    def some(self, schema, hints, depth):
        schema = resolve(self.root, schema)
        if schema is True or schema == {}:
            schema = {'type': ['string', 'object', 'array', 'number', 'boolean', 'null']}
        if not isinstance(schema, dict) or depth > 6:
            return
        hints = self.hints(hints)
        if 'const' in schema:
            yield schema['const']
            return
        if 'enum' in schema:
            yield from schema['enum']
            return
        for key in ('anyOf', 'oneOf'):
            if schema.get(key):
                rest = {k: x for k, x in schema.items() if k != key}
                parts = []
                for branch in schema[key]:
                    branch = resolve(self.root, branch)
                    if isinstance(branch, dict):
                        parts.append(self.some(merge(rest, branch), hints, depth))
                yield from turns(parts)
                return
        if schema.get('allOf'):
            merged = {k: x for k, x in schema.items() if k != 'allOf'}
            for part in schema['allOf']:
                part = resolve(self.root, part)
                if isinstance(part, dict):
                    merged = merge(merged, part)
            yield from self.some(merged, hints, depth)
            return
        kinds = schema.get('type')
        if kinds is None:
            if 'properties' in schema or 'required' in schema:
                kinds = ['object']
            elif 'items' in schema:
                kinds = ['array']
            else:
                kinds = ['string', 'integer', 'boolean', 'object', 'array', 'null']
        yield from turns([getattr(self, kind)(schema, hints, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)])

    def null(self, schema, hints, depth):
        yield None

    def boolean(self, schema, hints, depth):
        yield from (True, False)

    def string(self, schema, hints, depth):
        yield from [x for x in (schema.get('default'), *schema.get('examples', [])) if isinstance(x, str)]
        yield from ('x', '', 'some text', 'https://example.com/a', 'a@example.com', '2024-01-02', '2024-01-02T03:04:05Z', '10:20:30',
                    '1', '-1', 'AAAA', 'aaaa', 'a-b', 'a_b', 'a/b', '/a', 'a.b', '123e4567-e89b-42d3-a456-426614174000', 'deadbeef', 'deadbeef' * 5,
                    'abc/def.txt', '#1', '#aabbcc', '12', '1d', 'A', 'PROJ-1', ' ', 'x y', 'ä', '\n', '0' * 24, 'a' * 24, '1.2.3', 'C0123ABCD', '@x', '1234567890.123456')
        for s in (schema, *hints):
            for n in (s.get('minLength'), s.get('maxLength')):
                if isinstance(n, int) and n < 70000:
                    yield from ('x' * m for m in (n, n - 1, n + 1) if m >= 0)
            yield from [x for x in s.get('enum', []) if isinstance(x, str)]
            yield from [x for x in (s.get('default'), *s.get('examples', [])) if isinstance(x, str)]
        yield 'y' * 300

    def numbers(self, schema, hints, step):
        yield from [x for x in (schema.get('default'), *schema.get('examples', [])) if isinstance(x, (int, float)) and not isinstance(x, bool)]
        yield from (1, 0, 2, -1, 10, 5, 100, 1000, 100000)
        for s in (schema, *hints):
            for key in ('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'):
                n = s.get(key)
                if isinstance(n, (int, float)) and not isinstance(n, bool):
                    yield from (n, n - step, n + step)
        yield from (SAFE + 1, -SAFE - 1)

    def integer(self, schema, hints, depth):
        yield from (x for x in self.numbers(schema, hints, 1) if x == int(x))

    def number(self, schema, hints, depth):
        yield from self.numbers(schema, hints, 1)
        yield from (0.5, -0.5, 1.25)

    def array(self, schema, hints, depth):
        prefix = schema.get('prefixItems') or (schema.get('items') if isinstance(schema.get('items'), list) else [])
        if prefix:
            rows = [self.make(x, [h['prefixItems'][i] for h in hints if len(h.get('prefixItems', [])) > i], depth + 1, 8) for i, x in enumerate(prefix)]
            yield from (list(row) for row in itertools.islice(itertools.product(*rows), 60))
            return
        items = self.make(schema.get('items', True), [h['items'] for h in hints if isinstance(h.get('items'), (dict, bool))], depth + 1, 40)
        yield items[:1]
        yield []
        yield from ([x] for x in items[1:])
        yield items[:2]
        yield items[:1] * 2
        for s in (schema, *hints):
            for n in (s.get('minItems'), s.get('maxItems')):
                if isinstance(n, int) and n < 3000 and items:
                    for m in (n, n - 1, n + 1):
                        if m >= 0:
                            yield (items * (m // len(items) + 1))[:m]
                            yield items[:1] * m

    def object(self, schema, hints, depth):
        properties = {k: x for k, x in schema.get('properties', {}).items()}
        values = {k: self.make(x, [h['properties'][k] for h in hints if k in (h.get('properties') or {})], depth + 1, 40 if depth < 2 else 12) for k, x in properties.items()}
        required = [k for k in schema.get('required', [])]
        for k in required:
            values.setdefault(k, ['x'])
        if any(not values[k] for k in required):
            return
        base = {k: values[k][0] for k in required}
        full = {**base, **{k: x[0] for k, x in values.items() if x}}
        yield base
        yield full
        for object in (base, full):
            yield from turns([[{**object, k: x} for x in made] for k, made in values.items()])
        yield from ({k: x for k, x in full.items() if k != gone} for gone in list(full))
        rest = schema.get('additionalProperties')
        if rest is True or isinstance(rest, dict):
            names = ['extra', *(k for h in hints for k in h.get('properties', {}) if k not in properties)]
            for value in self.make(rest, [h['additionalProperties'] for h in hints if isinstance(h.get('additionalProperties'), dict)], depth + 1, 20):
                yield from ({**base, name: value} for name in names)
        for pattern, s in schema.get('patternProperties', {}).items():
            yield from ({**base, name: value} for value in self.make(s, [], depth + 1, 5) for name in ('x', 'a_b', 'x-a', '1'))

def turns(parts):
    parts = [iter(p) for p in parts]
    while parts:
        for p in list(parts):
            try:
                yield next(p)
            except StopIteration:
                parts.remove(p)

def merge(a, b):
    out = {**a, **b}
    if 'properties' in a and 'properties' in b:
        out['properties'] = {**a['properties'], **b['properties']}
    if 'required' in a and 'required' in b:
        out['required'] = list(dict.fromkeys(a['required'] + b['required']))
    return out

def opened(s):
    """The schema with closed objects open."""
    if isinstance(s, list):
        return [opened(x) for x in s]
    if not isinstance(s, dict):
        return s
    return {k: opened(x) for k, x in s.items() if not (k in ('additionalProperties', 'unevaluatedProperties') and x is False)}

def unbounded(s):
    """The schema without the bounds of exact floating point integers."""
    if isinstance(s, list):
        return [unbounded(x) for x in s]
    if not isinstance(s, dict):
        return s
    return {k: unbounded(x) for k, x in s.items() if not (k == 'maximum' and x == SAFE or k == 'minimum' and x == -SAFE)}

def witness(source, target, lens):
    """The smallest value of source that target refuses, and whether any is refused by more than bounds of integers."""
    if source == target:
        return None
    judge = validator(lens(target))
    plain = validator(unbounded(lens(target)))
    found = []
    for value in Maker(source, target).make(source, [target], limit=4000):
        if isinstance(value, dict) and accepts(judge, judge.schema, value) is False:
            found.append((accepts(plain, plain.schema, value) is not False, len(json.dumps(value)), value))
    if not found:
        return None
    bounds, _, value = min(found, key=lambda f: f[:2])
    return {'value': value, **({'bounds': True} if bounds else {})}

def label(pair):
    out = {}
    before, after = ({t['name']: t for t in pair[side].get('tools', [])} for side in ('before', 'after'))
    for name in sorted(before.keys() & after.keys()):
        a, b = before[name], after[name]
        w = witness(a.get('inputSchema') or {}, b.get('inputSchema') or {}, lambda s: s)
        if w:
            out.setdefault('arguments', {})[name] = w
        if a.get('outputSchema') and b.get('outputSchema'):
            w = witness(b['outputSchema'], a['outputSchema'], opened)
            if w:
                out.setdefault('results', {})[name] = w
    before, after = ({t['name']: t for t in pair[side].get('prompts', [])} for side in ('before', 'after'))
    for name in sorted(before.keys() & after.keys()):
        known = {x['name']: x for x in before[name].get('arguments') or []}
        value = {k: 'x' for k, x in known.items() if x.get('required')}
        if any(x.get('required') and x['name'] not in value for x in after[name].get('arguments') or []):
            out.setdefault('prompts', {})[name] = {'value': value}
    return out

if __name__ == '__main__':
    labels = {}
    for path in sys.argv[1:]:
        with gzip.open(path) as f:
            labels[os.path.basename(path).removesuffix('.json.gz')] = label(json.load(f))
    json.dump(labels, sys.stdout, indent=1, ensure_ascii=False, sort_keys=True)
