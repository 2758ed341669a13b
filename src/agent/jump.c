#include "agent/jump.h"

#include <string.h>

#include "agent/names.h"
#include "agent/recorder_lessons.h"
#include "agent/rewrites.h"
#include "agent/sound_ids.h"
#include "base/error.h"
#include "base/mem.h"

void jump_release(struct jump *jump)
{
	mem_free(jump->class_name);
	mem_free(jump->allocates);
	decision_release(&jump->decision);
}

/* "java.util.HashMap" → "java/util/HashMap". */
static char *vm_name(const char *name)
{
	char *copy = mem_strndup(name, strlen(name));
	for (char *c = copy; c && *c; c++)
		if (*c == '.')
			*c = '/';
	return copy;
}

/* "java.util.HashMap" → "Ljava/util/HashMap;", "byte[]" → "[B". */
static char *vm_signature(const char *name)
{
	static const struct {
		const char *name;
		char letter;
	} primitives[] = {{"byte", 'B'}, {"char", 'C'}, {"double", 'D'}, {"float", 'F'},
		{"int", 'I'}, {"long", 'J'}, {"short", 'S'}, {"boolean", 'Z'}};
	size_t len = strlen(name), dims = 0;
	while (len > 2 && memcmp(name + len - 2, "[]", 2) == 0)
		len -= 2, dims++;
	char *out = mem_alloc(dims + len + 3), *to = out;
	if (!out)
		return NULL;
	memset(to, '[', dims);
	to += dims;
	for (size_t i = 0; i < ARRAY_SIZE(primitives); i++)
		if (dims && len == strlen(primitives[i].name) &&
			memcmp(name, primitives[i].name, len) == 0)
			return to[0] = primitives[i].letter, to[1] = '\0', out;
	*to++ = 'L';
	for (size_t i = 0; i < len; i++)
		*to++ = (char)(name[i] == '.' ? '/' : name[i]);
	*to++ = ';';
	*to = '\0';
	return out;
}

static const struct decision_frame *frame_of(const struct decision *d)
{
	return d->callers ? &d->caller[d->callers - 1] : &d->at;
}

const struct decision_frame *jump_frame(const struct jump *jump)
{
	return frame_of(&jump->decision);
}

/* Hash and opcode are of the place itself, and not of what calls it. */
int jump_load(struct jump *to, struct decision *from)
{
	struct jump jump = {.on = from->action == DECISION_JUMP,
		.any_code = !from->has_hash || from->callers,
		.any_opcode = !from->opcode || from->callers,
		.class_name = vm_name(frame_of(from)->class_name),
		.allocates = vm_signature(from->allocates)};
	if (!jump.class_name || !jump.allocates) {
		jump_release(&jump);
		return ERR_NOMEM;
	}
	jump.decision = *from;
	*from = (struct decision){.opcode = NULL};
	*to = jump;
	return ERR_NONE;
}

/*
 * Where code goes in. Of a place that is told apart by its callers the outermost of them that
 * counts: what the call gives back there is the object, where it is handed up (a factory); where it
 * is not, the class of what comes back refuses it.
 */
static struct place acting(const struct place_context *at)
{
	if (!at->depth)
		return at->place;
	const struct place_frame *f = &at->caller[at->depth - 1];
	return (struct place){f->vm_method, f->bci, at->place.class_id};
}

/* The line of the source; 0 where it is not told. */
static int32_t line_of(const struct vm *vm, const struct place *at)
{
	jmethodID id;
	jint count = 0;
	int32_t best = -1, line = 0;
	jvmtiLineNumberEntry *lines = NULL;
	memcpy(&id, &at->vm_method, sizeof(id));
	if (!sound_id(id) ||
		(*vm->jvmti)->GetLineNumberTable(vm->jvmti, id, &count, &lines) != JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < count; i++) {
		int32_t start = rewrites_bci(at->vm_method, (int32_t)lines[i].start_location);
		if (start <= at->bci && start > best) {
			best = start;
			line = lines[i].line_number;
		}
	}
	vm_free(vm, lines);
	return line;
}

void jump_ask(const struct jump *jump, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	struct jump_names *n)
{
	jmethodID id;
	struct place place = acting(&jump->at);
	memcpy(&id, &place.vm_method, sizeof(id));
	n->line = line_of(vm, &place);
	n->known =
		loaded_method_ask(&n->method, vm->jvmti, jni, id) &&
		recorder_signature(r, jump->at.place.class_id, n->allocates, sizeof(n->allocates));
}

void jump_names_release(struct jump_names *n, const struct vm *vm)
{
	loaded_method_release(&n->method, vm->jvmti);
}

int jump_name(struct jump *jump, const struct jump_names *n)
{
	struct decision *d = &jump->decision;
	const struct loaded_method *m = &n->method;
	struct name name;
	jump->one_loader = true;
	jump->loader = m->loader;
	jump->class_name = mem_strndup(m->class_name, strlen(m->class_name));
	jump->allocates = mem_strndup(n->allocates, strlen(n->allocates));
	if (!jump->class_name || !jump->allocates)
		return ERR_NOMEM;
	name_of_class(&name, m->class_name);
	int err = decision_text(&d->at.class_name, name.text);
	name_of_signature(&name, n->allocates);
	err = err ? err : decision_text(&d->allocates, name.text);
	err = err ? err : decision_text(&d->at.method, m->name);
	err = err ? err : decision_text(&d->at.descriptor, m->descriptor);
	d->at.bci = acting(&jump->at).bci;
	d->at.line = n->line;
	return err;
}

bool jump_same_place(const struct jump *a, const struct jump *b)
{
	const struct decision_frame *x = jump_frame(a), *y = jump_frame(b);
	return strcmp(a->class_name, b->class_name) == 0 &&
	       strcmp(a->allocates, b->allocates) == 0 && strcmp(x->method, y->method) == 0 &&
	       strcmp(x->descriptor, y->descriptor) == 0 && x->bci == y->bci;
}

struct wish jump_wish(const struct jump *jump)
{
	const struct decision *d = &jump->decision;
	const struct decision_frame *f = jump_frame(jump);
	return (struct wish){.class_name = jump->class_name,
		.method = f->method,
		.descriptor = f->descriptor,
		.bci = f->bci,
		.opcode = jump->any_opcode ? NULL : d->opcode,
		.has_hash = d->has_hash && !jump->any_code,
		.hash = d->hash,
		.allocates = jump->allocates,
		.one_loader = jump->one_loader,
		.loader = jump->loader,
		.vm_method = jump->at.place.vm_method ? acting(&jump->at).vm_method : 0};
}

bool jump_wanted(const struct jump *jump)
{
	return jump->on && !jump->failed;
}

void jump_take_outcome(struct jump *jump, const struct wish *w)
{
	struct decision *d = &jump->decision;
	jump->done = w->state == WISH_DONE;
	if (w->state == WISH_REFUSED)
		jump->failed = w->why;
	else if (w->state == WISH_WAITS && jump->at.place.vm_method)
		jump->failed = "its class can't be rewritten";
	/* What waits for the next run is told by the code that it was decided on. */
	bool known = jump->done || (w->found_opcode && !d->has_hash);
	if (!known || d->callers)
		return;
	d->has_hash = true;
	d->hash = w->found_hash;
	if (!d->opcode)
		decision_text(&d->opcode, w->found_opcode);
}

bool jump_is_call(const struct jump *jump)
{
	const struct decision *d = &jump->decision;
	return !d->callers && d->opcode && strncmp(d->opcode, "invoke", strlen("invoke")) == 0;
}

bool jump_unmet(const struct jump *jump)
{
	return jump->done && jump->at.place.vm_method == 0;
}

bool jump_untold(const struct jump *jump)
{
	return jump->failed && !jump->told;
}
