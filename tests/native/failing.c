/* Allocators of Python that fail when they are told to, for tests of what is done then. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

enum { DOMAINS = 2 };
static const PyMemAllocatorDomain domains[DOMAINS] = {PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};
static PyMemAllocatorEx real[DOMAINS];
static bool armed, for_ever, no_objects;
static unsigned long thread; /* in which allocations fail and are counted */
static Py_ssize_t left, failed, live; /* allocations before the first that fails; failed; not freed */

static bool fails(const PyMemAllocatorEx *its)
{
    if (!armed || PyThread_get_thread_ident() != thread || (no_objects && its != &real[0]))
        return false;
    bool is_it = left == 0 || (left < 0 && for_ever);
    left--;
    failed += is_it;
    return is_it;
}

static void *count(void *made)
{
    live += made && PyThread_get_thread_ident() == thread;
    return made;
}

static void *fail_malloc(void *domain, size_t size)
{
    PyMemAllocatorEx *its = domain;
    return fails(its) ? NULL : count(its->malloc(its->ctx, size));
}

static void *fail_calloc(void *domain, size_t number, size_t size)
{
    PyMemAllocatorEx *its = domain;
    return fails(its) ? NULL : count(its->calloc(its->ctx, number, size));
}

static void *fail_realloc(void *domain, void *old, size_t size)
{
    PyMemAllocatorEx *its = domain;
    if (fails(its))
        return NULL;
    void *made = its->realloc(its->ctx, old, size);
    live += made && !old && PyThread_get_thread_ident() == thread;
    return made;
}

static void count_free(void *domain, void *at)
{
    PyMemAllocatorEx *its = domain;
    live -= at && PyThread_get_thread_ident() == thread;
    its->free(its->ctx, at);
}

/* call(number, for_ever, no_objects, function, *arguments): call a function while the allocation of that
   number, from 0 on, fails, and for ever all behind it; without those of objects if these are not to fail. */
static PyObject *call(PyObject *module, PyObject *arguments)
{
    Py_ssize_t size = PyTuple_Size(arguments);
    Py_ssize_t number = size < 4 ? -1 : PyLong_AsSsize_t(PyTuple_GetItem(arguments, 0));
    if (number < 0)
        return PyErr_Format(PyExc_TypeError, "call takes a number, two truth values, a function");
    for_ever = PyObject_IsTrue(PyTuple_GetItem(arguments, 1));
    no_objects = PyObject_IsTrue(PyTuple_GetItem(arguments, 2));
    PyObject *rest = PyTuple_GetSlice(arguments, 4, size);
    if (!rest)
        return NULL;
    left = number, failed = 0, armed = true;
    PyObject *result = PyObject_CallObject(PyTuple_GetItem(arguments, 3), rest);
    armed = false;
    Py_DECREF(rest);
    return result;
}

static PyObject *count_failed(PyObject *module, PyObject *nothing) { return PyLong_FromSsize_t(failed); }

static PyObject *count_live(PyObject *module, PyObject *nothing) { return PyLong_FromSsize_t(live); }

static PyMethodDef functions[] = {
    {"call", call, METH_VARARGS, "Call a function while allocations fail."},
    {"failed", count_failed, METH_NOARGS, "How many allocations failed in the last call."},
    {"live", count_live, METH_NOARGS, "How many blocks were allocated and are not freed."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "failing", NULL, -1, functions};

PyMODINIT_FUNC PyInit_failing(void)
{
    thread = PyThread_get_thread_ident();
    for (int i = 0; i < DOMAINS; i++) {
        PyMem_GetAllocator(domains[i], &real[i]);
        PyMemAllocatorEx failing = {&real[i], fail_malloc, fail_calloc, fail_realloc, count_free};
        PyMem_SetAllocator(domains[i], &failing);
    }
    return PyModule_Create(&definition);
}
