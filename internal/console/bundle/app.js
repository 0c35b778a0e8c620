/* Generated from d50634ce6d9a3f4e8589c4b388e83f4a7bede0e325b1de32e26dae22a927b258; see licenses.txt. */
var Ko,tt,oc,ah,ba,tc,rc,ic,li,qo,ao,lc,ui,di,ci,sh,Bo={},Jo=[],oh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,Vo=Array.isArray;function Qn(e,t){
for(var n in t)e[n]=t[n];return e}function pi(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function hi(e,t,n){var s,o,r,d={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:d[r]=t[r];if(arguments.length>2&&(d.children=arguments.length>3?Ko.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
d[r]===void 0&&(d[r]=e.defaultProps[r]);return Ho(e,d,s,o,null)}function Ho(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++oc,__i:-1,__u:0};return o==null&&tt.vnode!=null&&tt.vnode(r),r}function Yo(e){return e.children}function Uo(e,t){this.props=e,this.context=t}function qa(e,t){if(t==null)return e.__?qa(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?qa(e):null}function rh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=Qn({},
t);r.__v=t.__v+1,tt.vnode&&tt.vnode(r),fi(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??qa(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,hc(s,r,o),
t.__e=t.__=null,r.__e!=n&&dc(r)}}function dc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),dc(e)}function nc(e){(!e.__d&&(e.__d=!0)&&ba.push(e)&&!Go.__r++||tc!=tt.debounceRendering)&&((tc=tt.debounceRendering)||rc)(Go)}function Go(){
try{for(var e,t=1;ba.length;)ba.length>t&&ba.sort(ic),e=ba.shift(),t=ba.length,rh(e)}finally{ba.length=Go.__r=0}}function cc(e,t,n,s,o,r,d,c,$,w,S){var E,v,T,U,
te,ie,we=s&&s.__k||Jo,le=t.length;for($=ih(n,t,we,$,le),E=0;E<le;E++)(T=n.__k[E])!=null&&(v=T.__i!=-1&&we[T.__i]||Bo,T.__i=E,ie=fi(e,T,v,o,r,d,c,$,w,S),U=T.__e,
T.ref&&v.ref!=T.ref&&(v.ref&&mi(v.ref,null,T),S.push(T.ref,T.__c||U,T)),te==null&&U!=null&&(te=U),4&T.__u?($=uc(T,$,e),v.__e&&(v.__e=null)):typeof T.type=="func\
tion"&&ie!==void 0?$=ie:U&&($=U.nextSibling),T.__u&=-7);return n.__e=te,$}function ih(e,t,n,s,o){var r,d,c,$,w,S=n.length,E=S,v=0;for(e.__k=new Array(o),r=0;r<o;r++)
(d=t[r])!=null&&typeof d!="boolean"&&typeof d!="function"?(typeof d=="string"||typeof d=="number"||typeof d=="bigint"||d.constructor==String?d=e.__k[r]=Ho(null,
d,null,null,null):Vo(d)?d=e.__k[r]=Ho(Yo,{children:d},null,null,null):d.constructor===void 0&&d.__b>0?d=e.__k[r]=Ho(d.type,d.props,d.key,d.ref?d.ref:null,d.__v):
e.__k[r]=d,$=r+v,d.__=e,d.__b=e.__b+1,c=null,(w=d.__i=lh(d,n,$,E))!=-1&&(E--,(c=n[w])&&(c.__u|=2)),c==null||c.__v==null?(w==-1&&(o>S?v--:o<S&&v++),typeof d.type!=
"function"&&(d.__u|=4)):w!=$&&(w==$-1?v--:w==$+1?v++:(w>$?v--:v++,d.__u|=4))):e.__k[r]=null;if(E)for(r=0;r<S;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=qa(
c)),mc(c,c));return s}function uc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=uc(s[o],t,n));return t}e.__e!=
t&&(t&&e.type&&!t.parentNode&&(t=qa(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function lh(e,t,n,s){var o,r,d,c=e.key,$=e.type,w=t[n],S=w!=null&&(2&w.__u)==0;if(w===null&&c==null||S&&c==w.key&&$==w.type)return n;if(s>(S?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((w=t[d=o>=0?o--:r++])!=null&&(2&w.__u)==0&&c==w.key&&$==w.type)return d}return-1}function ac(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||oh.test(t)?n:n+"px"}function Wo(e,t,n,s,o){var r,d;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||ac(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||ac(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
lc,"$1")),d=t.toLowerCase(),t=d in e||t=="onFocusOut"||t=="onFocusIn"?d.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[ao]=s[ao]:(n[ao]=ui,e.addEventListener(
t,r?ci:di,r)):e.removeEventListener(t,r?ci:di,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function sc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[qo]==null)t[qo]=ui++;else if(t[qo]<n[ao])return;return n(tt.event?tt.event(t):t)}}}function fi(e,t,n,s,o,r,d,c,$,w){var S,E,v,T,U,te,
ie,we,le,Ve,an,pt,de,$e,Qt,vt,Bt=t.type;if(t.constructor!==void 0)return null;128&n.__u&&($=!!(32&n.__u),r=[c=t.__e=n.__e]),(S=tt.__b)&&S(t);e:if(typeof Bt=="fu\
nction"){E=d.length;try{if(le=t.props,Ve=Bt.prototype&&Bt.prototype.render,an=(S=Bt.contextType)&&s[S.__c],pt=S?an?an.props.value:S.__:s,n.__c?we=(v=t.__c=n.__c).
__=v.__E:(Ve?t.__c=v=new Bt(le,pt):(t.__c=v=new Uo(le,pt),v.constructor=Bt,v.render=ch),an&&an.sub(v),v.state||(v.state={}),v.__n=s,T=v.__d=!0,v.__h=[],v._sb=[]),
Ve&&v.__s==null&&(v.__s=v.state),Ve&&Bt.getDerivedStateFromProps!=null&&(v.__s==v.state&&(v.__s=Qn({},v.__s)),Qn(v.__s,Bt.getDerivedStateFromProps(le,v.__s))),U=
v.props,te=v.state,v.__v=t,T)Ve&&Bt.getDerivedStateFromProps==null&&v.componentWillMount!=null&&v.componentWillMount(),Ve&&v.componentDidMount!=null&&v.__h.push(
v.componentDidMount);else{if(Ve&&Bt.getDerivedStateFromProps==null&&le!==U&&v.componentWillReceiveProps!=null&&v.componentWillReceiveProps(le,pt),t.__v==n.__v||
!v.__e&&v.shouldComponentUpdate!=null&&v.shouldComponentUpdate(le,v.__s,pt)===!1){t.__v!=n.__v&&(v.props=le,v.state=v.__s,v.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(ne){ne&&(ne.__=t)}),Jo.push.apply(v.__h,v._sb),v._sb=[],v.__h.length&&d.push(v),c=qa(n);break e}v.componentWillUpdate!=null&&v.componentWillUpdate(
le,v.__s,pt),Ve&&v.componentDidUpdate!=null&&v.__h.push(function(){v.componentDidUpdate(U,te,ie)})}if(v.context=pt,v.props=le,v.__P=e,v.__e=!1,de=tt.__r,$e=0,Ve)
v.state=v.__s,v.__d=!1,de&&de(t),S=v.render(v.props,v.state,v.context),Jo.push.apply(v.__h,v._sb),v._sb=[];else do v.__d=!1,de&&de(t),S=v.render(v.props,v.state,
v.context),v.state=v.__s;while(v.__d&&++$e<25);v.state=v.__s,v.getChildContext!=null&&(s=Qn(Qn({},s),v.getChildContext())),Ve&&!T&&v.getSnapshotBeforeUpdate!=null&&
(ie=v.getSnapshotBeforeUpdate(U,te)),Qt=S!=null&&S.type===Yo&&S.key==null?fc(S.props.children):S,c=cc(e,Vo(Qt)?Qt:[Qt],t,n,s,o,r,d,c,$,w),v.base=t.__e,t.__u&=-161,
v.__h.length&&d.push(v),we&&(v.__E=v.__=null)}catch(ne){if(d.length=E,t.__v=null,$||r!=null){if(ne.then){for(t.__u|=$?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(vt=r.length;vt--;)pi(r[vt])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),ne.then||pc(
t),tt.__e(ne,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=dh(n.__e,t,n,s,o,r,d,$,w);return(S=tt.diffed)&&S(t),128&t.__u?void 0:c}function pc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(pc))}function hc(e,t,n){for(var s=0;s<n.length;s++)mi(n[s],n[++s],n[++s]);tt.__c&&tt.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){tt.__e(r,o.__v)}})}function fc(e){return typeof e!="object"||e==null||e.__b>0?e:Vo(e)?e.map(fc):e.constructor!==
void 0?null:Qn({},e)}function dh(e,t,n,s,o,r,d,c,$){var w,S,E,v,T,U,te,ie=n.props||Bo,we=t.props,le=t.type;if(le=="svg"?o="http://www.w3.org/2000/svg":le=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(w=0;w<r.length;w++)if((T=r[w])&&"setAttribute"in T==!!le&&(le?T.localName==
le:T.nodeType==3)){e=T,r[w]=null;break}}if(e==null){if(le==null)return document.createTextNode(we);e=document.createElementNS(o,le,we.is&&we),c&&(tt.__m&&tt.__m(
t,r),c=!1),r=null}if(le==null)ie===we||c&&e.data==we||(e.data=we);else{if(r=le=="textarea"&&we.defaultValue!=null?null:r&&Ko.call(e.childNodes),!c&&r!=null)for(ie=
{},w=0;w<e.attributes.length;w++)ie[(T=e.attributes[w]).name]=T.value;for(w in ie)T=ie[w],w=="dangerouslySetInnerHTML"?E=T:w=="children"||w in we||w=="value"&&"\
defaultValue"in we||w=="checked"&&"defaultChecked"in we||Wo(e,w,null,T,o);for(w in we)T=we[w],w=="children"?v=T:w=="dangerouslySetInnerHTML"?S=T:w=="value"?U=T:
w=="checked"?te=T:c&&typeof T!="function"||ie[w]===T||Wo(e,w,T,ie[w],o);if(S)c||E&&(S.__html==E.__html||S.__html==e.innerHTML)||(e.innerHTML=S.__html),t.__k=[];else if(E&&
(e.innerHTML=""),cc(t.type=="template"?e.content:e,Vo(v)?v:[v],t,n,s,le=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,d,r?r[0]:n.__k&&qa(n,0),c,$),r!=null)
for(w=r.length;w--;)pi(r[w]);c&&le!="textarea"||(w="value",le=="progress"&&U==null?e.removeAttribute("value"):U!=null&&(U!==e[w]||le=="progress"&&!U||le=="optio\
n"&&U!=ie[w])&&Wo(e,w,U,ie[w],o),w="checked",te!=null&&te!=e[w]&&Wo(e,w,te,ie[w],o))}return e}function mi(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u==
"function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){tt.__e(o,n)}}function mc(e,t,n){var s,o;if(tt.unmount&&tt.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||mi(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){tt.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&mc(s[o],t,n||typeof e.type!="function");n||pi(e.__e),e.__c=e.__=e.__e=void 0}function ch(e,t,n){return this.constructor(e,n)}function $i(e,t,n){
var s,o,r,d;t==document&&(t=document.documentElement),tt.__&&tt.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],d=[],fi(t,e=(!s&&n||t).__k=hi(Yo,null,
[e]),o||Bo,Bo,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?Ko.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,d),hc(r,e,d),e.props.children=null}Ko=Jo.slice,tt={__e:function(e,t,n,s){for(var o,r,d;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),d=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),d=o.__d),d)return o.__E=o}catch(c){e=c}throw e}},oc=0,ah=function(e){return e!=null&&e.constructor===
void 0},Uo.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=Qn({},this.state),typeof e=="function"&&(e=e(Qn({},n),
this.props)),e&&Qn(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),nc(this))},Uo.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),nc(this))},
Uo.prototype.render=Yo,ba=[],rc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,ic=function(e,t){return e.__v.__b-t.__v.__b},
Go.__r=0,li=Math.random().toString(8),qo="__d"+li,ao="__a"+li,lc=/(PointerCapture)$|Capture$/i,ui=0,di=sc(!1),ci=sc(!0),sh=0;var gc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var d=t[r++],c=t[r]?(t[0]|=d?1:2,n[t[r++]]):t[++r];d===3?s[0]=c:d===4?s[1]=Object.assign(s[1]||
{},c):d===5?(s[1]=s[1]||{})[t[++r]]=c:d===6?s[1][t[++r]]+=c+"":d?(o=e.apply(c,gc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
$c=new Map;function bc(e){var t=$c.get(this);return t||(t=new Map,$c.set(this,t)),(t=gc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,d="",c="",$=[0],w=function(v){
r===1&&(v||(d=d.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?$.push(0,v,d):r===3&&(v||d)?($.push(3,v,d),r=2):r===2&&d==="..."&&v?$.push(4,v,0):r===2&&d&&!v?$.push(5,0,!0,
d):r>=5&&((d||!v&&r===5)&&($.push(r,0,d,o),r=6),v&&($.push(r,v,0,o),r=6)),d=""},S=0;S<n.length;S++){S&&(r===1&&w(),w(S));for(var E=0;E<n[S].length;E++)s=n[S][E],
r===1?s==="<"?(w(),$=[$],r=3):d+=s:r===4?d==="--"&&s===">"?(r=1,d=""):d=s+d[0]:c?s===c?c="":d+=s:s==='"'||s==="'"?c=s:s===">"?(w(),r=1):r&&(s==="="?(r=5,o=d,d=""):
s==="/"&&(r<5||n[S][E+1]===">")?(w(),r===3&&($=$[0]),r=$,($=$[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(w(),r=2):d+=s),r===3&&d==="!--"&&(r=4,$=$[0])}return w(),$})(e)),t),arguments,[])).length>1?t:t[0]}var so,bt,gi,vc,Xo=0,Sc=[],Ct=tt,wc=Ct.__b,xc=Ct.__r,yc=Ct.diffed,kc=Ct.__c,_c=Ct.unmount,Cc=Ct.__;function vi(e,t){Ct.__h&&Ct.__h(bt,e,Xo||t),Xo=0;var n=bt.__H||
(bt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return Xo=1,uh(Dc,e)}function uh(e,t,n){var s=vi(so++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Dc(void 0,t),function(c){var $=s.__N?s.__N[0]:s.__[0],w=s.t($,c);$!==w&&(s.__N=[w,s.__[1]],s.__c.setState({}))}],s.__c=bt,!bt.__f)){var o=function(c,$,w){
if(!s.__c.__H)return!0;var S=!1,E=s.__c.props!==c;if(s.__c.__H.__.some(function(T){if(T.__N){S=!0;var U=T.__[0];T.__=T.__N,T.__N=void 0,U!==T.__[0]&&(E=!0)}}),r){
var v=r.call(this,c,$,w);return S?v||E:v}return!S||E};bt.__f=!0;var r=bt.shouldComponentUpdate,d=bt.componentWillUpdate;bt.componentWillUpdate=function(c,$,w){if(this.
__e){var S=r;r=void 0,o(c,$,w),r=S}d&&d.call(this,c,$,w)},bt.shouldComponentUpdate=o}return s.__N||s.__}function Te(e,t){var n=vi(so++,3);!Ct.__s&&Tc(n.__H,t)&&
(n.__=e,n.u=t,bt.__H.__h.push(n))}function Ht(e){return Xo=5,Zt(function(){return{current:e}},[])}function Zt(e,t){var n=vi(so++,7);return Tc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function ph(){for(var e;e=Sc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Zo),t.__h.some(bi),t.__h=[]}catch(n){t.__h=[],Ct.__e(n,e.__v)}}}Ct.__b=function(e){
bt=null,wc&&wc(e)},Ct.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Cc&&Cc(e,t)},Ct.__r=function(e){xc&&xc(e),so=0;var t=(bt=e.__c).__H;t&&(gi===bt?(t.
__h=[],bt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(Zo),t.__h.some(bi),t.__h=[],so=0)),gi=bt},Ct.diffed=function(e){yc&&yc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(Sc.push(t)!==1&&vc===Ct.requestAnimationFrame||((vc=Ct.requestAnimationFrame)||hh)(ph)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),gi=bt=null},Ct.__c=function(e,t){t.some(function(n){try{n.__h.some(Zo),n.__h=n.__h.filter(function(s){return!s.__||bi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],Ct.__e(s,n.__v)}}),kc&&kc(e,t)},Ct.unmount=function(e){_c&&_c(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{Zo(s)}catch(o){t=o}}),n.__H=void 0,t&&Ct.__e(t,n.__v))};var jc=typeof requestAnimationFrame=="function";function hh(e){var t,n=function(){clearTimeout(s),jc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);jc&&(t=requestAnimationFrame(n))}function Zo(e){var t=bt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
bt=t}function bi(e){var t=bt;e.__c=e.__(),bt=t}function Tc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Dc(e,t){return typeof t==
"function"?t(e):t}var a=bc.bind(hi);var va=!1;try{va=localStorage.getItem("zone")==="utc"}catch{}var Tn=()=>va;function vs(e){va=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Rc=0,ct=()=>Date.now()+Rc;function Ac(e){Rc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var wi=new Map,ws=e=>{let t=va?"UTC":void 0;return wi.
has(va)||wi.set(va,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(wi.get(va).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},oo=(e=ct())=>ws(e).timeZoneName,zn=e=>{let t=ws(
e);return`${t.year}-${t.month}-${t.day}`},ln=e=>{let t=ws(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},zt=e=>`${zn(e)} ${ln(e)}`,fh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],xi=e=>{let t=ws(e);return`${Number(t.day)} ${fh[t.month-1]}`},Mc=e=>{let t=ws(e);return`${zn(e)===
zn(ct())?"":xi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},yi=e=>`${xi(e)} ${ln(e)}`;function ki(e,t=0){let[n,s,o]=e.split("-").map(Number);return(va?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Ec(e,t){let n="";return e.map(s=>{let o=ws(s*1e3),r=xi(s*1e3),d=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:t>=1?`${o.hour}:${o.minute}:${o.second}`:`${o.second}.${String(Math.round(s*1e3)%1e3).padStart(3,"0")}`;if(!d)return r;let c=r===n?d:`${d}
${r}`;return n=r,c})}var Ne={user:"",role:"",csrf:"",ways:[],absent:""},Pc={viewer:1,operator:2,admin:3},Je=e=>(Pc[Ne.role]??0)>=Pc[e],Si=()=>{},Oc=e=>{Si=e};async function zc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Ne.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Si(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404});return r}var ta=e=>zc("GET",e),Ie=(e,t={})=>zc("POST",e,t);async function xs(){let e=await ta("/api/session");return(e.
absent!=="unread"||!Ne.user)&&Object.assign(Ne,{user:"",role:"",csrf:"",absent:""},e),Ne}function Re(e){let t=new URLSearchParams;for(let[s,o]of Object.entries(
e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Hn=null,Ic=!1;function _i(e){for(let t of wa.values())(e.includes("*")||e.some(n=>t.
topics.has(n)))&&t.changed(e.includes("letters")&&t.topics.has("letters"))}var ea={state:null,at:Date.now()},mh=3500,Qo=()=>({state:ea.state,heard:ea.at,cut:Date.
now()-ea.at>mh});function Ci(){Hn||document.hidden||!Ne.user||(ea.at=Date.now(),Hn=new EventSource("/api/live"),Ic&&(Hn.onopen=()=>_i(["*"])),Ic=!0,Hn.onmessage=
e=>_i(e.data.split(",")),Hn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=ea.state;Object.assign(ea,{state:JSON.
parse(e.data),at:Date.now()}),ea.state.at.startsWith("0001")||Ac(Date.parse(ea.state.at)),n&&t(n)!==t(ea.state)&&_i(["*"])}),Hn.onerror=()=>{Hn?.readyState===EventSource.
CLOSED&&(Hn=null,setTimeout(async()=>{await xs().then(e=>e.user||e.absent==="unread",()=>!0)?Ci():Si()},2e3))})}function ro(){Hn?.close(),Hn=null}function Ti(){
document.addEventListener("visibilitychange",()=>document.hidden?ro():Ci()),window.addEventListener("pagehide",ro),Ci()}var wa=new Map,$h=1500,gh=500,ji=class{state={
data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){if(this.busy){this.
again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await ta(this.path),error:"",lost:!1}}catch(t){this.
state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(t=!1){if(this.busy){
this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>wa.get(this.path)===this&&this.load(),Math.max(0,this.sent+(t?gh:$h)-Date.now()))}};function je(e,t=[]){
let[,n]=O(0),s=Ht(null),o=e?wa.get(e)??new ji(e):null;o&&(wa.set(e,o),t.forEach($=>o.topics.add($))),Te(()=>{if(!o)return;let $=()=>n(w=>w+1);return o.drawn.add(
$),wa.has(e)||(wa.set(e,o),o.changed()),(o.state.data||o.state.error)&&$(),()=>{o.drawn.delete($),o.drawn.size===0&&wa.get(e)===o&&wa.delete(e)}},[o]);let{data:r,
error:d,lost:c}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:d,lost:c,reload:()=>o?.load()}}var Di=new Intl.NumberFormat("en",{maximumFractionDigits:0}),bh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),vh=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),wh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),C=e=>Di.format(e??0),io=e=>vh.format(e??0),Un=e=>e<1e4?Di.format(e):
bh.format(e),dn=e=>Number.isInteger(e)?Di.format(e):wh.format(e),F=(e,t,n=t+"s")=>`${C(e)} ${e===1?t:n}`;function ys(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=
1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?e.toFixed(1):Math.round(e)} ${t[n]}`}function cn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.
toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.
floor(e/86400)} d ${Math.floor(e%86400/3600)} h`}function lo(e,t=ct()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.
floor(s)} s`;else if(s<3600)o=`${Math.floor(s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=F(Math.floor(s/86400),"day");else return zn(
e);return n<0?`in ${o}`:`${o} ago`}var Bn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
un={overview:Bn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Bn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
jobs:Bn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Bn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),campaigns:Bn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
rules:Bn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),workers:Bn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
audit:Bn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Bn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Bn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var co=[["h","","Overview"],["a","audiences","Audiences"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],["r","rules","Rules"],
["w","workers","Workers"],["u","audit","Audit"]];function na(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).
join("/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Fc(){let[e,t]=O(na());return Te(
()=>{let n=()=>t(na());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function oe(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function et(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:na().params},s=new URLSearchParams;for(let[r,d]of Object.
entries({...n,...e}))d&&s.set(r,d);let o=s.toString();history.replaceState(history.state,"","#"+t+(o&&"?"+o)),window.dispatchEvent(new Event("hashchange"))}history.
scrollRestoration="manual";var Ri=0,xa=null;window.addEventListener("scroll",()=>{clearTimeout(Ri),xa||(Ri=setTimeout(()=>history.replaceState({...history.state,
y:window.scrollY},""),150))},{passive:!0});var Nc=()=>xa!==null,Lc=["wheel","touchstart","pointerdown","keydown"];function Wc(e){xa?.();let t=()=>{window.scrollTo(
0,e),window.scrollY>=e-1&&xa?.()},n=new ResizeObserver(t),s=setTimeout(()=>xa?.(),5e3),o=()=>{xa=null,n.disconnect(),clearTimeout(s),Lc.forEach(r=>window.removeEventListener(
r,o))};xa=o,Lc.forEach(r=>window.addEventListener(r,o,{passive:!0})),n.observe(document.body)}window.addEventListener("popstate",e=>{clearTimeout(Ri),xa?.(),e.state?.
y>0&&Wc(e.state.y)});history.state?.y>0&&Wc(history.state.y);var Ln={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too many rows are no device\
 ids",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or\
 allow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay\
."},poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},
deadline:{title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},nn=e=>Ln[e]?.
title??e,uo={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},xh=e=>uo[e]?.[0]??e,vn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),tr=(e,t,n)=>uo[e]&&/\S \S/.test(t??"")&&vn(t)?uo[e][1](vn(
t,n)):xh(e),We={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Ai={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},yh={released:"\
rules may change it"},Ut=e=>Ai[e]??yh[e]??e,kh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},aa=e=>kh[e]??e.replaceAll(
"_"," "),wn={budget:"daily budget",bid:"maximum bid"},po={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","sour\
ce.sheet":"Sheet","source.skip":"Lines to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete e\
xport","source.compression":"Compression","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut\
 off","source.anyVersion":"UUIDs of any version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",
force:"Despite its limits",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals\
 allowed, in percent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows\
 allowed, in percent"},Ha=e=>po[e]??e,Mi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>aa(n)).replace(
/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>po[s.replaceAll("/",".")]?`${n}“${po[s.replaceAll("/",".")]}”`:t),_h={act:"acts",approve:"asks first",notify:"\
notifies",observe:"only records"},ks=e=>_h[e]??e,er=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b/,
Ch=/([;.:] )/;function nr(e){if(!er.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>er.test(r)?"":o).replace(/, see [^,;]*/g,o=>er.test(o)?"":o).split(
Ch),n="",s=!1;for(let o=0;o<t.length;o+=2)s=er.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(/^(or|and|then) /,"").replace(/[;:.\s]+$/,
"")}var jh=new RegExp(Object.keys(po).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)?\\b${e.replace(".","\\.")}\\b`).join("|"),
"g");function qc(e){let t=[],n=0;for(let s of e.matchAll(jh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.index),{name:o,title:po[o]}),n=s.index+s[0].
length}return[...t,e.slice(n)]}var Hc=["cap","approval"],ho=e=>e.action==="held"&&Hc.includes(e.guard),_s=e=>e.approvals?.length&&e.state!=="approved"?e.approvals.
at(-1).waiting.length+(e.leftOut?.length??0):e.guards?Hc.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var Uc=!0;function He({title:e,sub:t,crumb:n,acts:s,children:o}){let r=Ht(null);return Te(()=>{document.title=`${e} · usher`},[e]),Te(()=>{Uc||(r.current?.focus(
{preventScroll:!0}),Nc()||window.scrollTo(0,0)),Uc=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function X({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var Sh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Pi=e=>Sh[e]??"",sa=({
is:e})=>a`<span class="badge ${Pi(e)}" title=${Ai[e]?`the platform says ${e}`:We[e]}>${Ut(e)}</span>`,Dn=({kind:e,target:t,name:n})=>a`<span title=${e}>${tr(e,t,
n)}</span>`,Ei=new Set;setInterval(()=>Ei.forEach(e=>e(ct())),5e3);function Cs(){let[e,t]=O(ct());return Te(()=>(Ei.add(t),()=>Ei.delete(t)),[]),Math.max(e,ct()-
5e3)}function re({at:e}){return Cs(),e?a`<time class="nowrap" datetime=${e} title=${zt(e)}>${lo(e)}</time>`:a`<span class="faint none">–</span>`}function js({
at:e}){let t=Cs();return a`<time datetime=${e} title=${zt(e)}>since <span class="nowrap">${Mc(e)}</span>, <span class="nowrap">${lo(e,t).replace(" ago","")}</span></time>`}
var At=({text:e})=>a`<span title=${Mi(e)===e?void 0:e}><${jt} text=${Mi(e)} /></span>`,Ss=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${C(
e.looked)} of ${C(e.of)} jobs so far</span>`}</div>`,Ts=(e,t)=>t?e?C(e)+"+":"…":C(e),Ae=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,xn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
Th=({text:e})=>qc(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),Dh=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${Th} text=${t} />`),jt=({text:e})=>typeof e=="string"?a`<${Dh} text=${nr(e)||e} />`:e;function oa({text:e,of:t,to:n}){let s=Ln[t],o=typeof e=="string"?nr(e):
e,r=s&&!(s.then==="Then replay."&&/\breplay\b/i.test(o))&&(o?s.then:s.todo),d=typeof e=="string"&&o!==e;return!o&&!r&&!d?null:a`<div class="hint">${o&&a`<${jt} text=${o} />`}${o&&
r&&(/[.!?]$/.test(o)?" ":". ")}${r&&a`<${Rh} text=${r} to=${n} />`}
    ${d&&a`<details class="small"><summary>In the terminal</summary>${e.split("`").map((c,$)=>$%2?a`<code>${c}</code>`:c)}</details>`}</div>`}var ya=({children:e})=>a`<details class="small"><summary>In the terminal</summary><code>${e}</code></details>`;
function Rh({text:e,to:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<a href=${t}>Fix and replay</a>${s.join("Fix and replay")}`}function pn({
says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${oa} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function fe({level:e="",says:t,hint:n,of:s,to:o,where:r,children:d}){let c=a`<div><div class="says"><${jt} text=${t} /></div>${r?
n&&a`<div class="hint"><${jt} text=${n} /></div>`:a`<${oa} text=${n} of=${s} to=${o} />`}${d}</div>`;return r?a`<a class="callout ${e}" href=${r}>${c}</a>`:a`<div class="callout ${e}">${c}</div>`}
function ut({result:e,children:t}){return e.data?a`${e.error&&!e.lost&&a`<${pn} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${pn} says=${e.error} retry=${e.
reload} />`:a`<div class="card"><${xn} /></div>`}var St=({name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:d})=>{let c=a`<div class="name">${e}</div><div class="value ${r?
"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${d}>${c}</a>`:a`<div class="figure" title=${d}>${c}</div>`};
function Rn({value:e,onText:t,label:n}){let[s,o]=O(e??""),r=Ht(0);return Te(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${d=>{
o(d.target.value),clearTimeout(r.current);let c=d.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Jn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,ka=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,d,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${d!==void 0&&a` <small>${typeof d=="number"?C(d):d}</small>`}</button>`)}</div>`;
function Ge({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:d,ready:c=!0,children:$}){let w=Ht(null),[S,E]=O(!1),[v,T]=O("");return Te(()=>{let te=document.
activeElement,ie=w.current;return ie.showModal(),(ie.querySelector("[data-first]")??ie.querySelector("input,textarea,select"))?.focus(),()=>{ie.close(),te?.focus?.()}},
[]),a`<dialog ref=${w} class=${o?"wide":""} aria-label=${e} onCancel=${te=>{te.preventDefault(),d()}}
      onMouseDown=${te=>te.target===w.current&&d()}>
    <form onSubmit=${async te=>{if(te.preventDefault(),!(S||!c)){E(!0),T("");try{await r(),d()}catch(ie){T(ie.message),E(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${$}${v&&a`<div class="callout bad" role="alert"><${oa} text=${v} /></div>`}</div>
      <footer>
        <button type="button" onClick=${d}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${S||!c}>${S?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Oe=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,Bc=()=>{},Ke=(e,t)=>Bc({text:nr(
e)||e,bad:t,key:Math.random()});function Jc(){let[e,t]=O([]);return Bc=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var Gc=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},Ii=e=>{try{return localStorage.getItem(e)}catch{return null}},Kc="(prefers-color-scheme: dark)",Ds=()=>(document.
documentElement.dataset.theme??(matchMedia(Kc).matches?"dark":"light"))==="dark";function sr(e){let t=matchMedia(Kc);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function Vc(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Rs(){let e=Ds()?"light":"dark";Vc(e),Gc("theme",e)}var ar=()=>document.documentElement.dataset.rows==="compa\
ct";function Yc(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function or(){Yc(!ar()),Gc("rows",ar()?"compac\
t":"roomy")}function Zc(){Ii("theme")&&Vc(Ii("theme")),Yc(Ii("rows")==="compact")}var Ah=12,_a=e=>()=>{location.hash=e},Mh=e=>[...co.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:_a("#/"+n)})),{name:"Backtest of rules",kind:"page",act:_a(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:_a("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:_a("#/audiences?only=problem\
s")},{name:Ds()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Rs},{name:Tn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>vs(
!Tn())},{name:ar()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:or},{name:"Keys",kind:"help",key:"?",act:e}];function Xc({onClose:e,onHelp:t}){let n=Ht(
null),[s,o]=O(""),[r,d]=O(0),[c,$]=O([]);Te(()=>{let v=document.activeElement;return n.current.showModal(),ta("/api/audiences").then(({audiences:T})=>$(U=>[...U,
...T.map(te=>({name:te.target,kind:"audience",act:_a(oe("audiences",te.target))}))]),()=>{}),ta("/api/campaigns").then(({campaigns:T})=>$(U=>[...U,...T.map(te=>({
name:te.code,kind:"campaign",act:_a(oe("campaigns",te.code))}))]),()=>{}),()=>v?.isConnected&&v.focus?.({preventScroll:!0})},[]);let w=Zt(()=>{let v=s.toLowerCase().
split(/\s+/).filter(Boolean),T=[...Mh(t),...c].filter(U=>v.every(te=>`${U.name} ${U.kind}`.toLowerCase().includes(te))).slice(0,Ah);return/^\S+$/.test(s.trim())&&
T.push({name:`Open the job ${s.trim()}`,kind:"job",act:_a(oe("jobs",s.trim()))}),s.trim()&&T.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:_a(
"#/jobs?text="+encodeURIComponent(s.trim()))}),T},[s,c]),S=v=>{e(),v?.act()},E=v=>{let T={ArrowDown:1,ArrowUp:-1}[v.key];T&&(v.preventDefault(),d((r+T+w.length)%
w.length)),v.key==="Enter"&&(v.preventDefault(),S(w[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${v=>{v.preventDefault(),e()}} onMouseDown=${v=>v.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${v=>{o(v.target.value),d(0)}} onKeyDown=${E} />
    <ul role="listbox" id="found" aria-label="Found">${w.map((v,T)=>a`<li role="option" id=${`found-${T}`} aria-selected=${T===r} onMouseMove=${()=>d(T)} onClick=${()=>S(
v)}><span>${v.name}</span><span class="faint small">${v.key?a`<kbd>${v.key}</kbd>`:v.kind}</span></li>`)}</ul>
  </dialog>`}var Eh=/Mac|iPhone|iPad/.test(navigator.platform),Ph=[[Eh?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...co.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],Ih=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),Oh=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function Qc(e){
let t=Oh();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var zh=()=>document.querySelector("main .at input[type=checkbox]")?.click(),Lh=()=>document.querySelector("main input[type=search]")?.focus();function eu(){let[
e,t]=O("");Te(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||Ih(r)||document.querySelector("dialog[open]"))return;let d=Date.now()-s<1500&&co.find(([$])=>$===r.key);if(s=0,d){location.hash="#/"+d[1];return}let c={
g:()=>{s=Date.now()},"/":Lh,"?":()=>t("help"),j:()=>Qc(1),k:()=>Qc(-1),x:zh,z:or,t:Rs,d:()=>vs(!Tn())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${Xc} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ge} title="Keys" onClose=${n}><dl class="facts keys">${Ph.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function nu(e){let[t,n]=O(Date.now());Te(()=>{let U=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(U)},[]);let{state:s,heard:o,cut:r}=Qo(),d=(s?.services??
[]).filter(U=>U.since),[c="",$]=e,w=c===""||c==="jobs"&&!$,S=c==="campaigns"?["NATS","Platform"]:["NATS"],E=d.filter(U=>S.includes(U.name)),v=s&&new Date(w&&!s.
figures.startsWith("0001")?s.figures:E.length?E[0].since:s.at),T=v?(new Date(s.at)-v+t-o)/1e3:0;return{state:s,lost:d,cut:r,heard:o,asOf:v,age:Math.max(0,T),stale:r||
E.length>0,well:!r&&d.length===0}}function au({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:d}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(w=>w.name==="NATS"),$=w=>n||c&&w.name==="NATS writes"?"":w.since?"off":"on";return a`<div class="status">
      ${e.services.map(w=>a`<span key=${w.name} class="service ${$(w)}"><i></i>${w.name}<span class="sr">${{on:" works",off:" is lost"}[$(w)]??" unknown"}</span></span>`)}
      <span class="nowrap">${F(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&zt(o)}>as of ${d?ln(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${tu} key="page" says=${`This page has no connection to usher since ${ln(s)}; figures are from ${ln(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(w=>a`<${tu} key=${w.name} hint=${w.hint} why=${w.why}
        says=${`${w.says} since ${ln(w.since)}${d?`; figures are from ${ln(o)}`:""}.`} />`)}
    </div>`}var tu=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${oa} text=${n} />${t&&a`<div class="faint small"><${At} text=${t} /></div>`}</div></div>`;function su({why:e,onIn:t}){let[n,s]=O(""),[o,r]=O(!1),[d,c]=O(""),[$,w]=O(""),S=Ne.ways??[],E=async(T,U)=>{r(!0),s("");try{await Ie(T,U),await t()}catch(te){s(
te.message),r(!1)}},v=()=>{let{names:T}=na();return T[0]!=="login"||!T[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),E(
"/api/login/link",{Token:T[1]}),!0)};return Te(()=>(document.title="Log in · usher",window.addEventListener("hashchange",v),!v()&&S.includes("proxy")&&E("/api/\
login/proxy",{}),Ne.ways?.length||xs().catch(T=>s(T.message)),()=>window.removeEventListener("hashchange",v)),[]),Te(()=>{if(Ne.absent!=="unread")return;let T=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(T)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${un.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${S.includes("password")&&a`<form onSubmit=${T=>{T.preventDefault(),E("/api/login",{User:d,Password:$})}}>
      <${Oe} name="Name"><input type="text" autocomplete="username" required autofocus value=${d} onInput=${T=>c(T.target.value)} /><//>
      <${Oe} name="Password"><input type="password" autocomplete="current-password" required value=${$} onInput=${T=>w(T.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${S.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${S.includes("proxy")&&a`<button disabled=${o} onClick=${()=>E("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function Ua(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${C(t.added)}, −${C(t.removed)}, ${e.dryRun?"then":"now"} ${C(t.now)}`:e.new===void 0?
"":`+${C(e.new)} of ${C(e.accepted)} accepted`}var Fh=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${C(n)} ${aa(t)}`).join(", ");function As({r:e}){
let t=Ua(e),n=Fh(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var Nh=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",d="left",c="right",$="#000",w=$+"0",S="mousemove",E="mousedown",v="mou\
seup",T="mouseenter",U="mouseleave",te="dblclick",ie="change",we="dppxchange",le="--",Ve=typeof window<"u",an=Ve?document:null,pt=Ve?window:null,de=Ve?navigator:
null,$e,Qt;function vt(i,u){if(u!=null){let m=i.classList;!m.contains(u)&&m.add(u)}}function Bt(i,u){let m=i.classList;m.contains(u)&&m.remove(u)}function ne(i,u,m){
i.style[u]=m+"px"}function wt(i,u,m,p){let g=an.createElement(i);return u!=null&&vt(g,u),m?.insertBefore(g,p),g}function xt(i,u){return wt("div",i,u)}let dl=new WeakMap;
function Fn(i,u,m,p,g){let k="translate("+u+"px,"+m+"px)";k!=dl.get(i)&&(i.style.transform=k,dl.set(i,k),0>u||0>m||u>p||m>g?vt(i,e):Bt(i,e))}let cl=new WeakMap;
function ul(i,u,m){let p=u+m;p!=cl.get(i)&&(cl.set(i,p),i.style.background=u,i.style.borderColor=m)}let pl=new WeakMap;function hl(i,u,m,p){let g=u+""+m;g!=pl.get(
i)&&(pl.set(i,g),i.style.height=m+"px",i.style.width=u+"px",i.style.marginLeft=p?-u/2+"px":0,i.style.marginTop=p?-m/2+"px":0)}let br={passive:!0},op={...br,capture:!0};
function Ta(i,u,m,p){u.addEventListener(i,m,p?op:br)}function vr(i,u,m){u.removeEventListener(i,m,br)}function An(i,u,m,p){let g;m=m||0;let k=2147483647>=(p=p||
u.length-1);for(;p-m>1;)g=k?m+p>>1:fn((m+p)/2),i>u[g]?m=g:p=g;return i-u[m]>u[p]-i?p:m}function fl(i){return(u,m,p)=>{let g=-1,k=-1;for(let x=m;p>=x;x++)if(i(u[x])){
g=x;break}for(let x=p;x>=m;x--)if(i(u[x])){k=x;break}return[g,k]}}Ve&&(function i(){let u=devicePixelRatio;$e!=u&&($e=u,Qt&&vr(ie,Qt,i),Qt=matchMedia(`(min-reso\
lution: ${$e-.001}dppx) and (max-resolution: ${$e+.001}dppx)`),Ta(ie,Qt,i),pt.dispatchEvent(new CustomEvent(we)))})();let ml=i=>i!=null,$l=i=>i!=null&&i>0,vo=fl(
ml),rp=fl($l);function wo(i,u,m,p){let g=vl(i),k=vl(u);i==u&&(g==-1?(i*=m,u/=m):(i/=m,u*=m));let x=m==10?Gn:wl,D=k==1?yn:fn,A=(g==1?fn:yn)(x(Tt(i))),R=D(x(Tt(u))),
P=Ka(m,A),_=Ka(m,R);return m==10&&(0>A&&(P=Ze(P,-A)),0>R&&(_=Ze(_,-R))),p||m==2?(i=P*g,u=_*k):(i=Sl(i,P),u=ko(u,_)),[i,u]}function wr(i,u,m,p){let g=wo(i,u,m,p);
return i==0&&(g[0]=0),u==0&&(g[1]=0),g}let xr=.1,gl={mode:3,pad:xr},Us={pad:0,soft:null,mode:0},ip={min:Us,max:Us};function xo(i,u,m,p){return _o(m)?bl(i,u,m):(Us.
pad=m,Us.soft=p?0:null,Us.mode=p?3:0,bl(i,u,ip))}function Le(i,u){return i??u}function bl(i,u,m){let p=m.min,g=m.max,k=Le(p.pad,0),x=Le(g.pad,0),D=Le(p.hard,-Ye),
A=Le(g.hard,Ye),R=Le(p.soft,Ye),P=Le(g.soft,-Ye),_=Le(p.mode,0),W=Le(g.mode,0),Y=u-i,B=Gn(Y),V=en(Tt(i),Tt(u)),xe=Gn(V),ue=Tt(xe-B);(1e-24>Y||ue>10)&&(Y=0,i!=0&&
u!=0||(Y=1e-24,_==2&&R!=Ye&&(k=0),W==2&&P!=-Ye&&(x=0)));let q=Y||V||1e3,be=Gn(q),G=Ka(10,fn(be)),Q=Ze(Sl(i-q*(Y==0?i==0?.1:1:k),G/10),24),J=R>i||_!=1&&(_!=3||Q>
R)&&(_!=2||R>Q)?Ye:R,ke=en(D,J>Q&&i>=J?J:Mn(J,Q)),_e=Ze(ko(u+q*(Y==0?u==0?.1:1:x),G/10),24),Se=u>P||W!=1&&(W!=3||P>_e)&&(W!=2||_e>P)?-Ye:P,Me=Mn(A,_e>Se&&Se>=u?
Se:en(Se,_e));return ke==Me&&ke==0&&(Me=100),[ke,Me]}let lp=new Intl.NumberFormat(Ve?de.language:"en-US"),yr=i=>lp.format(i),hn=Math,yo=hn.PI,Tt=hn.abs,fn=hn.floor,
Dt=hn.round,yn=hn.ceil,Mn=hn.min,en=hn.max,Ka=hn.pow,vl=hn.sign,Gn=hn.log10,wl=hn.log2,kr=(i,u=1)=>hn.asinh(i/u),Ye=1/0;function xl(i){return 1+(0|Gn((i^i>>31)-
(i>>31)))}function _r(i,u,m){return Mn(en(i,u),m)}function yl(i){return typeof i=="function"}function Pe(i){return yl(i)?i:()=>i}let kl=i=>i,_l=(i,u)=>u,dp=()=>null,
Cl=()=>!0,jl=(i,u)=>i==u,cp=/\.\d*?(?=9{6,}|0{6,})/gm,Da=i=>{if(Dl(i)||ia.has(i))return i;let u=""+i,m=u.match(cp);if(m==null)return i;let p=m[0].length-1;if(u.
indexOf("e-")!=-1){let[g,k]=u.split("e");return+`${Da(g)}e${k}`}return Ze(i,p)};function Ra(i,u){return Da(Ze(Da(i/u))*u)}function ko(i,u){return Da(yn(Da(i/u))*
u)}function Sl(i,u){return Da(fn(Da(i/u))*u)}function Ze(i,u=0){if(Dl(i))return i;let m=10**u;return Dt(i*m*(1+Number.EPSILON))/m}let ia=new Map;function Tl(i){
return((""+i).split(".")[1]||"").length}function Bs(i,u,m,p){let g=[],k=p.map(Tl);for(let x=u;m>x;x++){let D=Tt(x),A=Ze(Ka(i,x),D);for(let R=0;p.length>R;R++){let P=i==
10?+`${p[R]}e${x}`:p[R]*A,_=(0>x?D:0)+(k[R]>x?k[R]:0),W=i==10?P:Ze(P,_);g.push(W),ia.set(W,_)}}return g}let Js={},Cr=[],Va=[null,null],la=Array.isArray,Dl=Number.
isInteger;function Rl(i){return typeof i=="string"}function _o(i){let u=!1;if(i!=null){let m=i.constructor;u=m==null||m==Object}return u}function up(i){return i!=
null&&typeof i=="object"}let pp=Object.getPrototypeOf(Uint8Array),Al="__proto__";function Ya(i,u=_o){let m;if(la(i)){let p=i.find((g=>g!=null));if(la(p)||u(p)){
m=Array(i.length);for(let g=0;i.length>g;g++)m[g]=Ya(i[g],u)}else m=i.slice()}else if(i instanceof pp)m=i.slice();else if(u(i)){m={};for(let p in i)p!=Al&&(m[p]=
Ya(i[p],u))}else m=i;return m}function yt(i){let u=arguments;for(let m=1;u.length>m;m++){let p=u[m];for(let g in p)g!=Al&&(_o(i[g])?yt(i[g],Ya(p[g])):i[g]=Ya(p[g]))}
return i}function hp(i,u,m){for(let p,g=0,k=-1;u.length>g;g++){let x=u[g];if(x>k){for(p=x-1;p>=0&&i[p]==null;)i[p--]=null;for(p=x+1;m>p&&i[p]==null;)i[k=p++]=null}}}
let fp=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask,Ml=["January","February","March","April","May","June","July","August","September","\
October","November","December"],El=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Pl(i){return i.slice(0,3)}let mp=El.map(Pl),
$p=Ml.map(Pl),gp={MMMM:Ml,MMM:$p,WWWW:El,WWW:mp};function Gs(i){return(10>i?"0":"")+i}let bp={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,u)=>u.
MMMM[i.getMonth()],MMM:(i,u)=>u.MMM[i.getMonth()],MM:i=>Gs(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Gs(i.getDate()),D:i=>i.getDate(),WWWW:(i,u)=>u.WWWW[i.getDay()],
WWW:(i,u)=>u.WWW[i.getDay()],HH:i=>Gs(i.getHours()),H:i=>i.getHours(),h:i=>{let u=i.getHours();return u==0?12:u>12?u-12:u},AA:i=>12>i.getHours()?"AM":"PM",aa:i=>12>
i.getHours()?"am":"pm",a:i=>12>i.getHours()?"a":"p",mm:i=>Gs(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Gs(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(i.getMilliseconds())};function jr(i,u){u=u||gp;let m,p=[],g=/\{([a-z]+)\}|[^{]+/gi;for(;m=g.exec(i);)p.push(m[0][0]=="{"?bp[m[1]]:
m[0]);return k=>{let x="";for(let D=0;p.length>D;D++)x+=typeof p[D]=="string"?p[D]:p[D](k,u);return x}}let vp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Il=i=>i%1==0,Co=[1,2,2.5,5],wp=Bs(10,-32,0,Co),Ol=Bs(10,0,32,Co),xp=Ol.filter(Il),Aa=wp.concat(Ol),zl="{YYYY}",Ll=`
`+zl,Fl="{M}/{D}",Ks=`
`+Fl,jo=Ks+"/{YY}",Nl="{aa}",Za="{h}:{mm}"+Nl,Wl=`
`+Za,ql=":{ss}",Ue=null;function Hl(i){let u=1e3*i,m=60*u,p=60*m,g=24*p,k=30*g,x=365*g;return[(i==1?Bs(10,0,3,Co).filter(Il):Bs(10,-3,0,Co)).concat([u,5*u,10*u,
15*u,30*u,m,5*m,10*m,15*m,30*m,p,2*p,3*p,4*p,6*p,8*p,12*p,g,2*g,3*g,4*g,5*g,6*g,7*g,8*g,9*g,10*g,15*g,k,2*k,3*k,4*k,6*k,x,2*x,5*x,10*x,25*x,50*x,100*x]),[[x,zl,
Ue,Ue,Ue,Ue,Ue,Ue,1],[28*g,"{MMM}",Ll,Ue,Ue,Ue,Ue,Ue,1],[g,Fl,Ll,Ue,Ue,Ue,Ue,Ue,1],[p,"{h}"+Nl,jo,Ue,Ks,Ue,Ue,Ue,1],[m,Za,jo,Ue,Ks,Ue,Ue,Ue,1],[u,ql,jo+" "+Za,Ue,
Ks+" "+Za,Ue,Wl,Ue,1],[i,ql+".{fff}",jo+" "+Za,Ue,Ks+" "+Za,Ue,Wl,Ue,1]],function(D){return(A,R,P,_,W,Y)=>{let B=[],V=W>=x,xe=W>=k&&x>W,ue=D(P),q=Ze(ue*i,3),be=Sr(
ue.getFullYear(),V?0:ue.getMonth(),xe||V?1:ue.getDate()),G=Ze(be*i,3);if(xe||V){let Q=xe?W/k:0,J=V?W/x:0,ke=q==G?q:Ze(Sr(be.getFullYear()+J,be.getMonth()+Q,1)*i,
3),_e=new Date(Dt(ke/i)),Se=_e.getFullYear(),Me=_e.getMonth();for(let Z=0;_>=ke;Z++){let se=Sr(Se+J*Z,Me+Q*Z,1),me=se-D(Ze(se*i,3));ke=Ze((+se+me)*i,3),ke>_||B.
push(ke)}}else{let Q=g>W?W:g,J=G+(fn(P)-fn(q))+ko(q-G,Q);B.push(J);let ke=D(J),_e=ke.getHours()+ke.getMinutes()/m+ke.getSeconds()/p,Se=W/p,Me=Y/A.axes[R]._space;
for(;J=Ze(J+W,i==1?0:3),_>=J;)if(Se>1){let Z=fn(Ze(_e+Se,6))%24,se=D(J).getHours()-Z;se>1&&(se=-1),J-=se*p,_e=(_e+Se)%24,.7>Ze((J-B[B.length-1])/W,3)*Me||B.push(
J)}else B.push(J)}return B}}]}let[yp,kp,_p]=Hl(1),[Cp,jp,Sp]=Hl(.001);function Ul(i,u){return i.map((m=>m.map(((p,g)=>g==0||g==8||p==null?p:u(g==1||m[8]==0?p:m[1]+
p)))))}function Bl(i,u){return(m,p,g,k,x)=>{let D,A,R,P,_,W,Y=u.find((B=>x>=B[0]))||u[u.length-1];return p.map((B=>{let V=i(B),xe=V.getFullYear(),ue=V.getMonth(),
q=V.getDate(),be=V.getHours(),G=V.getMinutes(),Q=V.getSeconds(),J=xe!=D&&Y[2]||ue!=A&&Y[3]||q!=R&&Y[4]||be!=P&&Y[5]||G!=_&&Y[6]||Q!=W&&Y[7]||Y[1];return D=xe,A=
ue,R=q,P=be,_=G,W=Q,J(V)}))}}function Sr(i,u,m){return new Date(i,u,m)}function Jl(i,u){return u(i)}function Gl(i,u){return(m,p,g,k)=>k==null?le:u(i(p))}Bs(2,-53,
53,[1]);let Tp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(i,u){let m=i.series[u];return m.width?m.stroke(i,u):m.points.width?
m.points.stroke(i,u):null},fill:function(i,u){return i.series[u].fill(i,u)},dash:"solid"},idx:null,idxs:null,values:[]},Tr=[0,0];function So(i,u,m,p=!0){return g=>{
g.button==0&&(!p||g.target==u)&&m(g)}}function Dr(i,u,m,p=!0){return g=>{(!p||g.target==u)&&m(g)}}let Dp={show:!0,x:!0,y:!0,lock:!1,move:function(i,u,m){return Tr[0]=
u,Tr[1]=m,Tr},points:{one:!1,show:function(i,u){let m=i.cursor.points,p=xt(),g=m.size(i,u);ne(p,n,g),ne(p,s,g);let k=g/-2;ne(p,"marginLeft",k),ne(p,"marginTop",
k);let x=m.width(i,u,g);return x&&ne(p,"borderWidth",x),p},size:function(i,u){return i.series[u].points.size},width:0,stroke:function(i,u){let m=i.series[u].points;
return m._stroke||m._fill},fill:function(i,u){let m=i.series[u].points;return m._fill||m._stroke}},bind:{mousedown:So,mouseup:So,click:So,dblclick:So,mousemove:Dr,
mouseleave:Dr,mouseenter:Dr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,u,m,p,g)=>p-
g,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Kl={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Rr=yt({},Kl,{filter:_l}),Vl=yt({},Rr,{size:10}),Yl=yt({},Kl,{show:!1}),Ar='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Zl="bold "+Ar,Xl={show:!0,scale:"x",stroke:$,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:Zl,side:2,grid:Rr,ticks:Vl,border:Yl,font:Ar,lineGap:1.5,rotate:0},Ql={show:!0,scale:"x",auto:!1,sorted:1,min:Ye,max:-Ye,
idxs:[]};function Rp(i,u){return u.map((m=>m==null?"":yr(m)))}function Ap(i,u,m,p,g,k,x){let D=[],A=ia.get(g)||0;for(let R=m=x?m:Ze(ko(m,g),A);p>=R;R=Ze(R+g,A))
D.push(Object.is(R,-0)?0:R);return D}function Mr(i,u,m,p,g){let k=[],x=i.scales[i.axes[u].scale].log,D=fn((x==10?Gn:wl)(m));g=Ka(x,D),x==10&&(g=Aa[An(g,Aa)]);let A=m,
R=g*x;x==10&&(R=Aa[An(R,Aa)]);do k.push(A),A+=g,x!=10||ia.has(A)||(A=Ze(A,ia.get(g))),R>A||(R=(g=A)*x,x==10&&(R=Aa[An(R,Aa)]));while(p>=A);return k}function Mp(i,u,m,p,g){
let k=i.scales[i.axes[u].scale].asinh,x=p>k?Mr(i,u,en(k,m),p,g):[k],D=0>p||m>0?[]:[0];return(-k>m?Mr(i,u,en(k,-p),-m,g):[k]).reverse().map((A=>-A)).concat(D,x)}
let ed=/./,Ep=/[12357]/,Pp=/[125]/,td=/1/,Er=(i,u,m,p)=>i.map(((g,k)=>u==4&&g==0||k%p==0&&m.test(g.toExponential()[0>g?1:0])?g:null));function Ip(i,u,m){let p=i.
axes[m],g=p.scale,k=i.scales[g],x=i.valToPos,D=p._space,A=x(10,g),R=x(9,g)-A<D?x(7,g)-A<D?x(5,g)-A<D?td:Pp:Ep:ed;if(R==td){let P=Tt(x(1,g)-A);if(D>P)return Er(u.
slice().reverse(),k.distr,R,yn(D/P)).reverse()}return Er(u,k.distr,R,1)}function Op(i,u,m){let p=i.axes[m],g=p.scale,k=p._space,x=i.valToPos,D=Tt(x(1,g)-x(2,g));
return k>D?Er(u.slice().reverse(),3,ed,yn(k/D)).reverse():u}function zp(i,u,m,p){return p==null?le:u==null?"":yr(u)}let nd={show:!0,scale:"y",stroke:$,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Zl,side:3,grid:Rr,ticks:Vl,border:Yl,font:Ar,lineGap:1.5,rotate:0},ad={scale:null,auto:!0,sorted:0,min:Ye,
max:-Ye},sd=(i,u,m,p,g)=>g,od={show:!0,auto:!0,sorted:0,gaps:sd,alpha:1,facets:[yt({},ad,{scale:"x"}),yt({},ad,{scale:"y"})]},rd={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:sd,alpha:1,points:{show:function(i,u){let{scale:m,idxs:p}=i.series[0],g=i._data[0],k=i.valToPos(g[p[0]],m,!0),x=i.valToPos(g[p[1]],m,!0);return Tt(
x-k)/(i.series[u].points.space*$e)>=p[1]-p[0]},filter:null},values:null,min:Ye,max:-Ye,idxs:[],path:null,clip:null};function Lp(i,u,m){return m/10}let id={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Fp=yt({},id,{time:!1,ori:1}),ld={};function dd(i){let u=ld[i];return u||(u={key:i,plots:[],sub(m){
u.plots.push(m)},unsub(m){u.plots=u.plots.filter((p=>p!=m))},pub(m,p,g,k,x,D,A){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub(m,p,g,k,x,D,A)}},
i!=null&&(ld[i]=u)),u}function Ma(i,u,m){let p=i.mode,g=i.series[u],k=p==2?i._data[u]:i._data,x=i.scales,D=i.bbox,A=k[0],R=p==2?k[1]:k[u],P=p==2?x[g.facets[0].scale]:
x[i.series[0].scale],_=p==2?x[g.facets[1].scale]:x[g.scale],W=D.left,Y=D.top,B=D.width,V=D.height,xe=i.valToPosH,ue=i.valToPosV;return P.ori==0?m(g,A,R,P,_,xe,ue,
W,Y,B,V,Do,Xa,Ao,pd,fd):m(g,A,R,P,_,ue,xe,Y,W,V,B,Ro,Qa,Or,hd,md)}function Pr(i,u){let m=0,p=0,g=Le(i.bands,Cr);for(let k=0;g.length>k;k++){let x=g[k];x.series[0]==
u?m=x.dir:x.series[1]==u&&(p|=x.dir==1?1:2)}return[m,p==1?-1:p==2?1:p==3?2:0]}function Np(i,u,m,p,g){let k=i.series[u],x=i.scales[i.mode==2?k.facets[1].scale:k.
scale];return g==-1?x.min:g==1?x.max:x.distr==3?x.dir==1?x.min:x.max:0}function Kn(i,u,m,p,g,k){return Ma(i,u,((x,D,A,R,P,_,W,Y,B,V,xe)=>{let ue=x.pxRound,q=R.ori==
0?Xa:Qa,be,G;R.dir*(R.ori==0?1:-1)==1?(be=m,G=p):(be=p,G=m);let Q=ue(_(D[be],R,V,Y)),J=ue(W(A[be],P,xe,B)),ke=ue(_(D[G],R,V,Y)),_e=ue(W(k==1?P.max:P.min,P,xe,B)),
Se=new Path2D(g);return q(Se,ke,_e),q(Se,Q,_e),q(Se,Q,J),Se}))}function To(i,u,m,p,g,k){let x=null;if(i.length>0){x=new Path2D;let D=u==0?Ao:Or,A=m;for(let _=0;i.
length>_;_++){let W=i[_];if(W[1]>W[0]){let Y=W[0]-A;Y>0&&D(x,A,p,Y,p+k),A=W[1]}}let R=m+g-A,P=10;R>0&&D(x,A,p-P/2,R,p+k+P)}return x}function Ir(i,u,m,p,g,k,x){let D=[],
A=i.length;for(let R=g==1?m:p;R>=m&&p>=R;R+=g)if(u[R]===null){let P=R,_=R;if(g==1)for(;++R<=p&&u[R]===null;)_=R;else for(;--R>=m&&u[R]===null;)_=R;let W=k(i[P]),
Y=_==P?W:k(i[_]),B=P-g;W=x>0||0>B||B>=A?W:k(i[B]);let V=_+g;Y=0>x||0>V||V>=A?Y:k(i[V]),W>Y||D.push([W,Y])}return D}function cd(i){return i==0?kl:i==1?Dt:u=>Ra(u,
i)}function ud(i){let u=i==0?Do:Ro,m=i==0?(g,k,x,D,A,R)=>{g.arcTo(k,x,D,A,R)}:(g,k,x,D,A,R)=>{g.arcTo(x,k,A,D,R)},p=i==0?(g,k,x,D,A)=>{g.rect(k,x,D,A)}:(g,k,x,D,A)=>{
g.rect(x,k,A,D)};return(g,k,x,D,A,R=0,P=0)=>{R==0&&P==0?p(g,k,x,D,A):(R=Mn(R,D/2,A/2),P=Mn(P,D/2,A/2),u(g,k+R,x),m(g,k+D,x,k+D,x+A,R),m(g,k+D,x+A,k,x+A,P),m(g,k,
x+A,k,x,P),m(g,k,x,k+D,x,R),g.closePath())}}let Do=(i,u,m)=>{i.moveTo(u,m)},Ro=(i,u,m)=>{i.moveTo(m,u)},Xa=(i,u,m)=>{i.lineTo(u,m)},Qa=(i,u,m)=>{i.lineTo(m,u)},
Ao=ud(0),Or=ud(1),pd=(i,u,m,p,g,k)=>{i.arc(u,m,p,g,k)},hd=(i,u,m,p,g,k)=>{i.arc(m,u,p,g,k)},fd=(i,u,m,p,g,k,x)=>{i.bezierCurveTo(u,m,p,g,k,x)},md=(i,u,m,p,g,k,x)=>{
i.bezierCurveTo(m,u,g,p,x,k)};function $d(){return(i,u,m,p,g)=>Ma(i,u,((k,x,D,A,R,P,_,W,Y,B,V)=>{let xe,ue,{pxRound:q,points:be}=k;A.ori==0?(xe=Do,ue=pd):(xe=Ro,
ue=hd);let G=Ze(be.width*$e,3),Q=(be.size-be.width)/2*$e,J=Ze(2*Q,3),ke=new Path2D,_e=new Path2D,{left:Se,top:Me,width:Z,height:se}=i.bbox;Ao(_e,Se-J,Me-J,Z+2*J,
se+2*J);let me=Fe=>{if(D[Fe]!=null){let pe=q(P(x[Fe],A,B,W)),Ee=q(_(D[Fe],R,V,Y));xe(ke,pe+Q,Ee),ue(ke,pe,Ee,Q,0,2*yo)}};if(g)g.forEach(me);else for(let Fe=m;p>=
Fe;Fe++)me(Fe);return{stroke:G>0?ke:null,fill:ke,clip:_e,flags:3}}))}function gd(i){return(u,m,p,g,k,x)=>{p!=g&&(k!=p&&x!=p&&i(u,m,p),k!=g&&x!=g&&i(u,m,g),i(u,m,
x))}}let Wp=gd(Xa),qp=gd(Qa);function bd(i){let u=Le(i?.alignGaps,0);return(m,p,g,k)=>Ma(m,p,((x,D,A,R,P,_,W,Y,B,V,xe)=>{[g,k]=vo(A,g,k);let ue,q,be=x.pxRound,G=se=>be(
_(se,R,V,Y)),Q=se=>be(W(se,P,xe,B));R.ori==0?(ue=Xa,q=Wp):(ue=Qa,q=qp);let J=R.dir*(R.ori==0?1:-1),ke={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},_e=ke.stroke,Se=!1;if(k-g<4*V)for(let se=J==1?g:k;se>=g&&k>=se;se+=J){let me=A[se];me===null?Se=!0:me!=null&&ue(_e,G(D[se]),Q(me))}else{let se,me,Fe,pe=ce=>m.
posToVal(ce,R.key,!0),Ee=null,it=null,Rt=G(D[J==1?g:k]),Xe=G(D[g]),Lt=G(D[k]),De=pe(J==1?Xe+1:Lt-1);for(let ce=J==1?g:k;ce>=g&&k>=ce;ce+=J){let ee=D[ce],lt=(J==
1?De>ee:ee>De)?Rt:G(ee),ht=A[ce];lt==Rt?ht!=null?(me=ht,Ee==null?(ue(_e,lt,Q(me)),se=Ee=it=me):Ee>me?Ee=me:me>it&&(it=me)):ht===null&&(Se=!0):(Ee!=null&&q(_e,Rt,
Q(Ee),Q(it),Q(se),Q(me)),ht!=null?(me=ht,ue(_e,lt,Q(me)),Ee=it=se=me):(Ee=it=null,ht===null&&(Se=!0)),Rt=lt,De=pe(Rt+J))}Ee!=null&&Ee!=it&&Fe!=Rt&&q(_e,Rt,Q(Ee),
Q(it),Q(se),Q(me))}let[Me,Z]=Pr(m,p);if(x.fill!=null||Me!=0){let se=ke.fill=new Path2D(_e),me=Q(x.fillTo(m,p,x.min,x.max,Me)),Fe=G(D[g]),pe=G(D[k]);J==-1&&([pe,
Fe]=[Fe,pe]),ue(se,pe,me),ue(se,Fe,me)}if(!x.spanGaps){let se=[];Se&&se.push(...Ir(D,A,g,k,J,G,u)),ke.gaps=se=x.gaps(m,p,g,k,se),ke.clip=To(se,R.ori,Y,B,V,xe)}return Z!=
0&&(ke.band=Z==2?[Kn(m,p,g,k,_e,-1),Kn(m,p,g,k,_e,1)]:Kn(m,p,g,k,_e,Z)),ke}))}function vd(i,u,m,p,g,k,x=Ye){if(i.length>1){let D=null;for(let A=0,R=1/0;i.length>
A;A++)if(u[A]!==void 0){if(D!=null){let P=Tt(i[A]-i[D]);R>P&&(R=P,x=Tt(m(i[A],p,g,k)-m(i[D],p,g,k)))}D=A}}return x}function Hp(i,u,m,p,g){let k=i.length;if(2>k)
return null;let x=new Path2D;if(m(x,i[0],u[0]),k==2)p(x,i[1],u[1]);else{let D=Array(k),A=Array(k-1),R=Array(k-1),P=Array(k-1);for(let _=0;k-1>_;_++)R[_]=u[_+1]-
u[_],P[_]=i[_+1]-i[_],A[_]=R[_]/P[_];D[0]=A[0];for(let _=1;k-1>_;_++)A[_]===0||A[_-1]===0||A[_-1]>0!=A[_]>0?D[_]=0:(D[_]=3*(P[_-1]+P[_])/((2*P[_]+P[_-1])/A[_-1]+
(P[_]+2*P[_-1])/A[_]),isFinite(D[_])||(D[_]=0));D[k-1]=A[k-2];for(let _=0;k-1>_;_++)g(x,i[_]+P[_]/3,u[_]+D[_]*P[_]/3,i[_+1]-P[_]/3,u[_+1]-D[_+1]*P[_]/3,i[_+1],u[_+
1])}return x}let zr=new Set;function wd(){for(let i of zr)i.syncRect(!0)}Ve&&(Ta("resize",pt,wd),Ta("scroll",pt,wd,!0),Ta(we,pt,(()=>{Jt.pxRatio=$e})));let Up=bd(),
Bp=$d();function xd(i,u,m,p){return(p?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map(((g,k)=>Lr(g,k,u,m)))}function Lr(i,u,m,p){return yt({},u==0?
m:p,i)}function yd(i,u,m){return u==null?Va:[u,m]}let Jp=yd;function Gp(i,u,m){return u==null?Va:xo(u,m,xr,!0)}function kd(i,u,m,p){return u==null?Va:wo(u,m,i.scales[p].
log,!1)}let Kp=kd;function _d(i,u,m,p){return u==null?Va:wr(u,m,i.scales[p].log,!1)}let Vp=_d;function Yp(i,u,m,p,g){let k=en(xl(i),xl(u)),x=u-i,D=An(g/p*x,m);do{
let A=m[D],R=p*A/x;if(R>=g&&17>=k+(5>A?ia.get(A):0))return[A,R]}while(++D<m.length);return[0,0]}function Cd(i){let u,m;return[i=i.replace(/(\d+)px/,((p,g)=>(u=Dt(
(m=+g)*$e))+"px")),u,m]}function Zp(i){i.show&&[i.font,i.labelFont].forEach((u=>{let m=Ze(u[2]*$e,1);u[0]=u[0].replace(/[0-9.]+px/,m+"px"),u[1]=m}))}function Jt(i,u,m){
let p={mode:Le(i.mode,1)},g=p.mode;function k(l,h,f,b){let y=h.valToPct(l);return b+f*(h.dir==-1?1-y:y)}function x(l,h,f,b){let y=h.valToPct(l);return b+f*(h.dir==
-1?y:1-y)}function D(l,h,f,b){return h.ori==0?k(l,h,f,b):x(l,h,f,b)}p.valToPosH=k,p.valToPosV=x;let A=!1;p.status=0;let R=p.root=xt("uplot");i.id!=null&&(R.id=i.
id),vt(R,i.class),i.title&&(xt("u-title",R).textContent=i.title);let P=wt("canvas"),_=p.ctx=P.getContext("2d"),W=xt("u-wrap",R);Ta("click",W,(l=>{l.target===B&&
(at!=hs||dt!=fs)&&Wt.click(p,l)}),!0);let Y=p.under=xt("u-under",W);W.appendChild(P);let B=p.over=xt("u-over",W),V=+Le((i=Ya(i)).pxAlign,1),xe=cd(V);(i.plugins||
[]).forEach((l=>{l.opts&&(i=l.opts(p,i)||i)}));let ue=i.ms||.001,q=p.series=g==1?xd(i.series||[],Ql,rd,!1):(function(l,h){return l.map(((f,b)=>b==0?{}:yt({},h,f)))})(
i.series||[null],od),be=p.axes=xd(i.axes||[],Xl,nd,!0),G=p.scales={},Q=p.bands=i.bands||[];Q.forEach((l=>{l.fill=Pe(l.fill||null),l.dir=Le(l.dir,-1)}));let J=g==
2?q[1].facets[0].scale:q[0].scale,ke={axes:function(){for(let l=0;be.length>l;l++){let h=be[l];if(!h.show||!h._show)continue;let f,b,y=h.side,j=y%2,M=h.stroke(p,
l),I=y==0||y==3?-1:1,[z,L]=h._found;if(h.label!=null){let rt=Dt((h._lpos+h.labelGap*I)*$e);Md(h.labelFont[0],M,"center",y==2?"top":r),_.save(),j==1?(f=b=0,_.translate(
rt,Dt(sn+Oa/2)),_.rotate((y==3?-yo:yo)/2)):(f=Dt(_n+In/2),b=rt);let Yt=yl(h.label)?h.label(p,l,z,L):h.label;_.fillText(Yt,f,b),_.restore()}if(L==0)continue;let H=G[h.
scale],ae=j==0?In:Oa,ze=j==0?_n:sn,ye=h._splits,ge=H.distr==2?ye.map((rt=>On[rt])):ye,ve=H.distr==2?On[ye[1]]-On[ye[0]]:z,N=h.ticks,he=h.border,qe=N.show?N.size:
0,gt=Dt(qe*$e),ot=Dt((h.alignTo==2?h._size-qe-h.gap:h.gap)*$e),Be=h._rotate*-yo/180,qt=xe(h._pos*$e),Kt=qt+(gt+ot)*I;b=j==0?Kt:0,f=j==1?Kt:0,Md(h.font[0],M,h.align==
1?d:h.align==2?c:Be>0?d:0>Be?c:j==0?"center":y==3?c:d,Be||j==1?"middle":y==2?"top":r);let Vt=h.font[1]*h.lineGap,ft=ye.map((rt=>xe(D(rt,H,ae,ze)))),gn=h._values;
for(let rt=0;gn.length>rt;rt++){let Yt=gn[rt];if(Yt!=null){j==0?f=ft[rt]:b=ft[rt],Yt=""+Yt;let rn=Yt.indexOf(`
`)==-1?[Yt]:Yt.split(/\n/gm);for(let Sn=0;rn.length>Sn;Sn++){let Xn=rn[Sn];Be?(_.save(),_.translate(f,b+Sn*Vt),_.rotate(Be),_.fillText(Xn,0,0),_.restore()):_.fillText(
Xn,f,b+Sn*Vt)}}}N.show&&Zr(ft,N.filter(p,ge,l,L,ve),j,y,qt,gt,Ze(N.width*$e,3),N.stroke(p,l),N.dash,N.cap);let _t=h.grid;_t.show&&Zr(ft,_t.filter(p,ge,l,L,ve),j,
j==0?2:1,j==0?sn:_n,j==0?Oa:In,Ze(_t.width*$e,3),_t.stroke(p,l),_t.dash,_t.cap),he.show&&Zr([qt],[1],j==0?1:0,j==0?1:2,j==1?sn:_n,j==1?Oa:In,Ze(he.width*$e,3),he.
stroke(p,l),he.dash,he.cap)}Ot("drawAxes")},series:function(){if(Nt>0){let l=q.some((h=>h._focus))&&on!=Nn.alpha;l&&(_.globalAlpha=on=Nn.alpha),q.forEach(((h,f)=>{
if(f>0&&h.show&&(Pd(f,!1),Pd(f,!0),h._paths==null)){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha);let y=g==2?[0,u[f][0].length-1]:(function(j){let M=_r(Mt-1,
0,Nt-1),I=_r(Et+1,0,Nt-1);for(;j[M]==null&&M>0;)M--;for(;j[I]==null&&Nt-1>I;)I++;return[M,I]})(u[f]);h._paths=h.paths(p,f,y[0],y[1]),on!=b&&(_.globalAlpha=on=b)}})),
q.forEach(((h,f)=>{if(f>0&&h.show){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha),h._paths!=null&&Id(f,!1);{let y=h._paths!=null?h._paths.gaps:null,j=h.points.
show(p,f,Mt,Et,y),M=h.points.filter(p,f,j,y);(j||M)&&(h.points._paths=h.points.paths(p,f,Mt,Et,M),Id(f,!0))}on!=b&&(_.globalAlpha=on=b),Ot("drawSeries",f)}})),l&&
(_.globalAlpha=on=1)}}},_e=(i.drawOrder||["axes","series"]).map((l=>ke[l]));function Se(l){let h=l.distr==3?f=>Gn(f>0?f:l.clamp(p,f,l.min,l.max,l.key)):l.distr==
4?f=>kr(f,l.asinh):l.distr==100?f=>l.fwd(f):f=>f;return f=>{let b=h(f),{_min:y,_max:j}=l;return(b-y)/(j-y)}}function Me(l){let h=G[l];if(h==null){let f=(i.scales||
Js)[l]||Js;if(f.from!=null){Me(f.from);let b=yt({},G[f.from],f,{key:l});b.valToPct=Se(b),G[l]=b}else{h=G[l]=yt({},l==J?id:Fp,f),h.key=l;let b=h.time,y=h.range,j=la(
y);if((l!=J||g==2&&!b)&&(!j||y[0]!=null&&y[1]!=null||(y={min:y[0]==null?gl:{mode:1,hard:y[0],soft:y[0]},max:y[1]==null?gl:{mode:1,hard:y[1],soft:y[1]}},j=!1),!j&&
_o(y))){let M=y;y=(I,z,L)=>z==null?Va:xo(z,L,M)}h.range=Pe(y||(b?Jp:l==J?h.distr==3?Kp:h.distr==4?Vp:yd:h.distr==3?kd:h.distr==4?_d:Gp)),h.auto=Pe(!j&&h.auto),h.
clamp=Pe(h.clamp||Lp),h._min=h._max=null,h.valToPct=Se(h)}}}Me("x"),Me("y"),g==1&&q.forEach((l=>{Me(l.scale)})),be.forEach((l=>{Me(l.scale)}));for(let l in i.scales)
Me(l);let Z=G[J],se=Z.distr,me,Fe;Z.ori==0?(vt(R,"u-hz"),me=k,Fe=x):(vt(R,"u-vt"),me=x,Fe=k);let pe={};for(let l in G){let h=G[l];h.min==null&&h.max==null||(pe[l]=
{min:h.min,max:h.max},h.min=h.max=null)}let Ee=i.tzDate||(l=>new Date(Dt(l/ue))),it=i.fmtDate||jr,Rt=ue==1?_p(Ee):Sp(Ee),Xe=Bl(Ee,Ul(ue==1?kp:jp,it)),Lt=Gl(Ee,Jl(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",it)),De=[],ce=p.legend=yt({},Tp,i.legend),ee=p.cursor=yt({},Dp,{drag:{y:g==2}},i.cursor),lt=ce.show,ht=ee.show,mt=ce.markers,En,
es,mn;ce.idxs=De,mt.width=Pe(mt.width),mt.dash=Pe(mt.dash),mt.stroke=Pe(mt.stroke),mt.fill=Pe(mt.fill);let $t,$n=[],da=[],kn=!1,ca={};if(ce.live){let l=q[1]?q[1].
values:null;kn=l!=null,$t=kn?l(p,1,0):{_:0};for(let h in $t)ca[h]=le}if(lt)if(En=wt("table","u-legend",R),mn=wt("tbody",null,En),ce.mount(p,En),kn){es=wt("thead",
null,En,mn);let l=wt("tr",null,es);for(var ts in wt("th",null,l),$t)wt("th",t,l).textContent=ts}else vt(En,"u-inline"),ce.live&&vt(En,"u-live");let ns={show:!0},
Vs={show:!1},ua=new Map;function tn(l,h,f,b=!0){let y=ua.get(h)||{},j=ee.bind[l](p,h,f,b);j&&(Ta(l,h,y[l]=j),ua.set(h,y))}function as(l,h){let f=ua.get(h)||{};for(let b in f)
l!=null&&b!=l||(vr(b,h,f[b]),delete f[b]);l==null&&ua.delete(h)}let Vn=0,Ea=0,Ce=0,K=0,Qe=0,Ft=0,Pa=Qe,Yn=Ft,Ia=Ce,Pn=K,_n=0,sn=0,In=0,Oa=0;p.bbox={};let Fr=!1,
Mo=!1,ss=!1,za=!1,Eo=!1,Cn=!1;function Nr(l,h,f){(f||l!=p.width||h!=p.height)&&jd(l,h),cs(!1),ss=!0,Mo=!0,ms()}function jd(l,h){p.width=Vn=Ce=l,p.height=Ea=K=h,
Qe=Ft=0,(function(){let b=!1,y=!1,j=!1,M=!1;be.forEach((I=>{if(I.show&&I._show){let{side:z,_size:L}=I,H=L+(I.label!=null?I.labelSize:0);H>0&&(z%2?(Ce-=H,z==3?(Qe+=
H,M=!0):j=!0):(K-=H,z==0?(Ft+=H,b=!0):y=!0))}})),Fa[0]=b,Fa[1]=j,Fa[2]=y,Fa[3]=M,Ce-=pa[1]+pa[3],Qe+=pa[3],K-=pa[2]+pa[0],Ft+=pa[0]})(),(function(){let b=Qe+Ce,
y=Ft+K,j=Qe,M=Ft;function I(z,L){switch(z){case 1:return b+=L,b-L;case 2:return y+=L,y-L;case 3:return j-=L,j+L;case 0:return M-=L,M+L}}be.forEach((z=>{if(z.show&&
z._show){let L=z.side;z._pos=I(L,z._size),z.label!=null&&(z._lpos=I(L,z.labelSize))}}))})();let f=p.bbox;_n=f.left=Ra(Qe*$e,.5),sn=f.top=Ra(Ft*$e,.5),In=f.width=
Ra(Ce*$e,.5),Oa=f.height=Ra(K*$e,.5)}let Xp=3;if(p.setSize=function({width:l,height:h}){Nr(l,h)},ee.dataIdx==null){let l=ee.hover,h=l.skip=new Set(l.skip??[]);h.
add(void 0);let f=l.prox=Pe(l.prox),b=l.bias??=0;ee.dataIdx=(y,j,M,I)=>{if(j==0)return M;let z=M,L=f(y,j,M,I)??Ye,H=L>=0&&Ye>L,ae=Z.ori==0?Ce:K,ze=ee.left,ye=u[0],
ge=u[j];if(h.has(ge[M])){z=null;let ve,N=null,he=null;if(b==0||b==-1)for(ve=M;N==null&&ve-- >0;)h.has(ge[ve])||(N=ve);if(b==0||b==1)for(ve=M;he==null&&ve++<ge.length;)
h.has(ge[ve])||(he=ve);if(N!=null||he!=null)if(H){let qe=ze-(N==null?-1/0:me(ye[N],Z,ae,0)),gt=(he==null?1/0:me(ye[he],Z,ae,0))-ze;qe>gt?gt>L||(z=he):qe>L||(z=N)}else
z=he==null?N:N==null||M-N>he-M?he:N}else H&&Tt(ze-me(ye[M],Z,ae,0))>L&&(z=null);return z}}let La=l=>{ee.event=l};ee.idxs=De,ee._lock=!1;let Gt=ee.points;Gt.show=
Pe(Gt.show),Gt.size=Pe(Gt.size),Gt.stroke=Pe(Gt.stroke),Gt.width=Pe(Gt.width),Gt.fill=Pe(Gt.fill);let Nn=p.focus=yt({},i.focus||{alpha:.3},ee.focus),os=Nn.prox>=
0,rs=os&&Gt.one,jn=[],is=[],ls=[];function Sd(l,h){let f=Gt.show(p,h);if(f instanceof HTMLElement)return vt(f,"u-cursor-pt"),vt(f,l.class),Fn(f,-10,-10,Ce,K),B.
insertBefore(f,jn[h]),f}function Td(l,h){if(g==1||h>0){let f=g==1&&G[l.scale].time,b=l.value;l.value=f?Rl(b)?Gl(Ee,Jl(b,it)):b||Lt:b||zp,l.label=l.label||(f?"Ti\
me":"Value")}if(rs||h>0){l.width=l.width==null?1:l.width,l.paths=l.paths||Up||dp,l.fillTo=Pe(l.fillTo||Np),l.pxAlign=+Le(l.pxAlign,V),l.pxRound=cd(l.pxAlign),l.
stroke=Pe(l.stroke||null),l.fill=Pe(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let f=(function(y){return Ze(1*(3+2*(y||1)),3)})(en(1,l.width)),b=l.points=
yt({},{size:f,width:en(1,.2*f),stroke:l.stroke,space:2*f,paths:Bp,_stroke:null,_fill:null},l.points);b.show=Pe(b.show),b.filter=Pe(b.filter),b.fill=Pe(b.fill),b.
stroke=Pe(b.stroke),b.paths=Pe(b.paths),b.pxAlign=l.pxAlign}if(lt){let f=(function(b,y){if(y==0&&(kn||!ce.live||g==2))return Va;let j=[],M=wt("tr","u-series",mn,
mn.childNodes[y]);vt(M,b.class),b.show||vt(M,e);let I=wt("th",null,M);if(mt.show){let H=xt("u-marker",I);if(y>0){let ae=mt.width(p,y);ae&&(H.style.border=ae+"px\
 "+mt.dash(p,y)+" "+mt.stroke(p,y)),H.style.background=mt.fill(p,y)}}let z=xt(t,I);for(var L in b.label instanceof HTMLElement?z.appendChild(b.label):z.textContent=
b.label,y>0&&(mt.show||(z.style.color=b.width>0?mt.stroke(p,y):mt.fill(p,y)),tn("click",I,(H=>{if(ee._lock)return;La(H);let ae=q.indexOf(b);if((H.ctrlKey||H.metaKey)!=
ce.isolate){let ze=q.some(((ye,ge)=>ge>0&&ge!=ae&&ye.show));q.forEach(((ye,ge)=>{ge>0&&Wn(ge,ze?ge==ae?ns:Vs:ns,!0,kt.setSeries)}))}else Wn(ae,{show:!b.show},!0,
kt.setSeries)}),!1),os&&tn(T,I,(H=>{ee._lock||(La(H),Wn(q.indexOf(b),gs,!0,kt.setSeries))}),!1)),$t){let H=wt("td","u-value",M);H.textContent="--",j.push(H)}return[
M,j]})(l,h);$n.splice(h,0,f[0]),da.splice(h,0,f[1]),ce.values.push(null)}if(ht){De.splice(h,0,null);let f=null;rs?h==0&&(f=Sd(l,h)):h>0&&(f=Sd(l,h)),jn.splice(h,
0,f),is.splice(h,0,0),ls.splice(h,0,0)}Ot("addSeries",h)}p.addSeries=function(l,h){h=h??q.length,l=g==1?Lr(l,h,Ql,rd):Lr(l,h,{},od),q.splice(h,0,l),Td(q[h],h)},
p.delSeries=function(l){if(q.splice(l,1),lt){ce.values.splice(l,1),da.splice(l,1);let h=$n.splice(l,1)[0];as(null,h.firstChild),h.remove()}ht&&(De.splice(l,1),jn.
splice(l,1)[0].remove(),is.splice(l,1),ls.splice(l,1)),Ot("delSeries",l)};let Fa=[!1,!1,!1,!1];function Ys(l,h,f){let[b,y,j,M]=f,I=h%2,z=0;return I==0&&(M||y)&&
(z=h==0&&!b||h==2&&!j?Dt(Xl.size/3):0),I==1&&(b||j)&&(z=h==1&&!y||h==3&&!M?Dt(nd.size/2):0),z}let Dd=p.padding=(i.padding||[Ys,Ys,Ys,Ys]).map((l=>Pe(Le(l,Ys)))),
pa=p._padding=Dd.map(((l,h)=>l(p,h,Fa,0))),Nt,Mt=null,Et=null,Po=g==1?q[0].idxs:null,Io,ds,Wr,qr,Hr,Ur,Br,Jr,Gr,on,On=null,Zs=!1;function Rd(l,h){if(p.data=p._data=
u=l??[],g==2){Nt=0;for(let f=1;q.length>f;f++)Nt+=u[f][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),On=u[0],Nt=On.length;let f=u;if(se==2){f=u.slice();let b=f[0]=
Array(Nt);for(let y=0;Nt>y;y++)b[y]=y}p._data=u=f}if(cs(!0),Ot("setData"),se==2&&(ss=!0),h!==!1){let f=Z;f.auto(p,Zs)?Kr():fa(J,f.min,f.max),za=za||ee.left>=0,Cn=
!0,ms()}}function Kr(){let l,h;Zs=!0,g==1&&(Nt>0?(Mt=Po[0]=0,Et=Po[1]=Nt-1,l=u[0][Mt],h=u[0][Et],se==2?(l=Mt,h=Et):l==h&&(se==3?[l,h]=wo(l,l,Z.log,!1):se==4?[l,
h]=wr(l,l,Z.log,!1):Z.time?h=l+Dt(86400/ue):[l,h]=xo(l,h,xr,!0))):(Mt=Po[0]=l=null,Et=Po[1]=h=null)),fa(J,l,h)}function Ad(l,h,f,b,y,j){l??=w,f??=Cr,b??="butt",
y??=w,j??="round",l!=Io&&(_.strokeStyle=Io=l),y!=ds&&(_.fillStyle=ds=y),h!=Wr&&(_.lineWidth=Wr=h),j!=Hr&&(_.lineJoin=Hr=j),b!=Ur&&(_.lineCap=Ur=b),f!=qr&&_.setLineDash(
qr=f)}function Md(l,h,f,b){h!=ds&&(_.fillStyle=ds=h),l!=Br&&(_.font=Br=l),f!=Jr&&(_.textAlign=Jr=f),b!=Gr&&(_.textBaseline=Gr=b)}function Vr(l,h,f,b,y=0){if(b.length>
0&&l.auto(p,Zs)&&(h==null||h.min==null)){let j=Le(Mt,0),M=Le(Et,b.length-1),I=f.min==null?(function(z,L,H,ae=0,ze=!1){let ye=ze?rp:vo,ge=ze?$l:ml;[L,H]=ye(z,L,H);
let ve=z[L],N=z[L];if(L>-1)if(ae==1)ve=z[L],N=z[H];else if(ae==-1)ve=z[H],N=z[L];else for(let he=L;H>=he;he++){let qe=z[he];ge(qe)&&(ve>qe?ve=qe:qe>N&&(N=qe))}return[
ve??Ye,N??-Ye]})(b,j,M,y,l.distr==3):[f.min,f.max];l.min=Mn(l.min,f.min=I[0]),l.max=en(l.max,f.max=I[1])}}p.setData=Rd;let Ed={min:null,max:null};function Pd(l,h){
let f=h?q[l].points:q[l];f._stroke=f.stroke(p,l),f._fill=f.fill(p,l)}function Id(l,h){let f=h?q[l].points:q[l],{stroke:b,fill:y,clip:j,flags:M,_stroke:I=f._stroke,
_fill:z=f._fill,_width:L=f.width}=f._paths;L=Ze(L*$e,3);let H=null,ae=L%2/2;h&&z==null&&(z=L>0?"#fff":I);let ze=f.pxAlign==1&&ae>0;if(ze&&_.translate(ae,ae),!h){
let ye=_n-L/2,ge=sn-L/2,ve=In+L,N=Oa+L;H=new Path2D,H.rect(ye,ge,ve,N)}h?Yr(I,L,f.dash,f.cap,z,b,y,M,j):(function(ye,ge,ve,N,he,qe,gt,ot,Be,qt,Kt){let Vt=!1;Be!=
0&&Q.forEach(((ft,gn)=>{if(ft.series[0]==ye){let _t,rt=q[ft.series[1]],Yt=u[ft.series[1]],rn=(rt._paths||Js).band;la(rn)&&(rn=ft.dir==1?rn[0]:rn[1]);let Sn=null;
rt.show&&rn&&(function(Xn,ga,bn){for(ga=Le(ga,0),bn=Le(bn,Xn.length-1);bn>=ga;){if(Xn[ga]!=null)return!0;ga++}return!1})(Yt,Mt,Et)?(Sn=ft.fill(p,gn)||qe,_t=rt._paths.
clip):rn=null,Yr(ge,ve,N,he,Sn,gt,ot,Be,qt,Kt,_t,rn),Vt=!0}})),Vt||Yr(ge,ve,N,he,qe,gt,ot,Be,qt,Kt)})(l,I,L,f.dash,f.cap,z,b,y,M,H,j),ze&&_.translate(-ae,-ae)}let Od=3;
function Yr(l,h,f,b,y,j,M,I,z,L,H,ae){Ad(l,h,f,b,y),(z||L||ae)&&(_.save(),z&&_.clip(z),L&&_.clip(L)),ae?(I&Od)==Od?(_.clip(ae),H&&_.clip(H),zo(y,M),Oo(l,j,h)):2&
I?(zo(y,M),_.clip(ae),Oo(l,j,h)):1&I&&(_.save(),_.clip(ae),H&&_.clip(H),zo(y,M),_.restore(),Oo(l,j,h)):(zo(y,M),Oo(l,j,h)),(z||L||ae)&&_.restore()}function Oo(l,h,f){
f>0&&(h instanceof Map?h.forEach(((b,y)=>{_.strokeStyle=Io=y,_.stroke(b)})):h!=null&&l&&_.stroke(h))}function zo(l,h){h instanceof Map?h.forEach(((f,b)=>{_.fillStyle=
ds=b,_.fill(f)})):h!=null&&l&&_.fill(h)}function Zr(l,h,f,b,y,j,M,I,z,L){let H=M%2/2;V==1&&_.translate(H,H),Ad(I,M,z,L,I),_.beginPath();let ae,ze,ye,ge,ve=y+(b==
0||b==3?-j:j);f==0?(ze=y,ge=ve):(ae=y,ye=ve);for(let N=0;l.length>N;N++)h[N]!=null&&(f==0?ae=ye=l[N]:ze=ge=l[N],_.moveTo(ae,ze),_.lineTo(ye,ge));_.stroke(),V==1&&
_.translate(-H,-H)}function Qp(l){let h=!0;return be.forEach(((f,b)=>{if(!f.show)return;let y=G[f.scale];if(y.min==null)return void(f._show&&(h=!1,f._show=!1,cs(
!1)));f._show||(h=!1,f._show=!0,cs(!1));let j=f.side,M=j%2,{min:I,max:z}=y,[L,H]=(function(N,he,qe,gt){let ot,Be=be[N];if(gt>0){let qt=Be._space=Be.space(p,N,he,
qe,gt);ot=Yp(he,qe,Be._incrs=Be.incrs(p,N,he,qe,gt,qt),gt,qt)}else ot=[0,0];return Be._found=ot})(b,I,z,M==0?Ce:K);if(H==0)return;let ae=f._splits=f.splits(p,b,
I,z,L,H,y.distr==2),ze=y.distr==2?ae.map((N=>On[N])):ae,ye=y.distr==2?On[ae[1]]-On[ae[0]]:L,ge=f._values=f.values(p,f.filter(p,ze,b,H,ye),b,H,ye);f._rotate=j==2?
f.rotate(p,ge,b,H):0;let ve=f._size;f._size=yn(f.size(p,ge,b,l)),ve!=null&&f._size!=ve&&(h=!1)})),h}function eh(l){let h=!0;return Dd.forEach(((f,b)=>{let y=f(p,
b,Fa,l);y!=pa[b]&&(h=!1),pa[b]=y})),h}function cs(l){q.forEach(((h,f)=>{f>0&&(h._paths=null,l&&(g==1?(h.min=null,h.max=null):h.facets.forEach((b=>{b.min=null,b.
max=null}))))}))}let Xr,Qr,us,ps,zd,Ld,hs,fs,Fd,Nd,at,dt,Lo=!1,ei=!1,Xs=[];function th(){ei=!1;for(let l=0;Xs.length>l;l++)Ot(...Xs[l]);Xs.length=0}function ms(){
Lo||(fp(Wd),Lo=!0)}function Wd(){if(Fr&&((function(){for(let b in G){let y=G[b];pe[b]==null&&(y.min==null||pe[J]!=null&&y.auto(p,Zs))&&(pe[b]=Ed)}for(let b in G){
let y=G[b];pe[b]==null&&y.from!=null&&pe[y.from]!=null&&(pe[b]=Ed)}pe[J]!=null&&cs(!0);let l={};for(let b in pe){let y=pe[b];if(y!=null){let j=l[b]=Ya(G[b],up);
if(y.min!=null)yt(j,y);else if(b!=J||g==2)if(Nt==0&&j.from==null){let M=j.range(p,null,null,b);j.min=M[0],j.max=M[1]}else j.min=Ye,j.max=-Ye}}if(Nt>0){q.forEach(
((b,y)=>{if(g==1){let j=b.scale,M=pe[j];if(M==null)return;let I=l[j];if(y==0){let z=I.range(p,I.min,I.max,j);I.min=z[0],I.max=z[1],Mt=An(I.min,u[0]),Et=An(I.max,
u[0]),Et-Mt>1&&(I.min>u[0][Mt]&&Mt++,u[0][Et]>I.max&&Et--),b.min=On[Mt],b.max=On[Et]}else b.show&&b.auto&&Vr(I,M,b,u[y],b.sorted);b.idxs[0]=Mt,b.idxs[1]=Et}else if(y>
0&&b.show&&b.auto){let[j,M]=b.facets,I=j.scale,z=M.scale,[L,H]=u[y],ae=l[I],ze=l[z];ae!=null&&Vr(ae,pe[I],j,L,j.sorted),ze!=null&&Vr(ze,pe[z],M,H,M.sorted),b.min=
M.min,b.max=M.max}}));for(let b in l){let y=l[b],j=pe[b];if(y.from==null&&(j==null||j.min==null)){let M=y.range(p,y.min==Ye?null:y.min,y.max==-Ye?null:y.max,b);
y.min=M[0],y.max=M[1]}}}for(let b in l){let y=l[b];if(y.from!=null){let j=l[y.from];if(j.min==null)y.min=y.max=null;else{let M=y.range(p,j.min,j.max,b);y.min=M[0],
y.max=M[1]}}}let h={},f=!1;for(let b in l){let y=l[b],j=G[b];if(j.min!=y.min||j.max!=y.max){j.min=y.min,j.max=y.max;let M=j.distr;j._min=M==3?Gn(j.min):M==4?kr(
j.min,j.asinh):M==100?j.fwd(j.min):j.min,j._max=M==3?Gn(j.max):M==4?kr(j.max,j.asinh):M==100?j.fwd(j.max):j.max,h[b]=f=!0}}if(f){q.forEach(((b,y)=>{g==2?y>0&&h.
y&&(b._paths=null):h[b.scale]&&(b._paths=null)}));for(let b in h)ss=!0,Ot("setScale",b);ht&&ee.left>=0&&(za=Cn=!0)}for(let b in pe)pe[b]=null})(),Fr=!1),ss&&((function(){
let l=!1,h=0;for(;!l;){h++;let f=Qp(h),b=eh(h);l=h==Xp||f&&b,l||(jd(p.width,p.height),Mo=!0)}})(),ss=!1),Mo){if(ne(Y,d,Qe),ne(Y,"top",Ft),ne(Y,n,Ce),ne(Y,s,K),ne(
B,d,Qe),ne(B,"top",Ft),ne(B,n,Ce),ne(B,s,K),ne(W,n,Vn),ne(W,s,Ea),P.width=Dt(Vn*$e),P.height=Dt(Ea*$e),be.forEach((({_el:l,_show:h,_size:f,_pos:b,side:y})=>{if(l!=
null)if(h){let j=y%2==1;ne(l,j?"left":"top",b-(y===3||y===0?f:0)),ne(l,j?"width":"height",f),ne(l,j?"top":"left",j?Ft:Qe),ne(l,j?"height":"width",j?K:Ce),Bt(l,e)}else
vt(l,e)})),Io=ds=Wr=Hr=Ur=Br=Jr=Gr=qr=null,on=1,to(!0),Qe!=Pa||Ft!=Yn||Ce!=Ia||K!=Pn){cs(!1);let l=Ce/Ia,h=K/Pn;if(ht&&!za&&ee.left>=0){ee.left*=l,ee.top*=h,us&&
Fn(us,Dt(ee.left),0,Ce,K),ps&&Fn(ps,0,Dt(ee.top),Ce,K);for(let f=0;jn.length>f;f++){let b=jn[f];b!=null&&(is[f]*=l,ls[f]*=h,Fn(b,yn(is[f]),yn(ls[f]),Ce,K))}}if(st.
show&&!Eo&&st.left>=0&&st.width>0){st.left*=l,st.width*=l,st.top*=h,st.height*=h;for(let f in si)ne($s,f,st[f])}Pa=Qe,Yn=Ft,Ia=Ce,Pn=K}Ot("setSize"),Mo=!1}Vn>0&&
Ea>0&&(_.clearRect(0,0,P.width,P.height),Ot("drawClear"),_e.forEach((l=>l())),Ot("draw")),st.show&&Eo&&(Fo(st),Eo=!1),ht&&za&&(Wa(null,!0,!1),za=!1),ce.show&&ce.
live&&Cn&&(ni(),Cn=!1),A||(A=!0,p.status=1,Ot("ready")),Zs=!1,Lo=!1}function ti(l,h){let f=G[l];if(f.from==null){if(Nt==0){let b=f.range(p,h.min,h.max,l);h.min=
b[0],h.max=b[1]}if(h.min>h.max){let b=h.min;h.min=h.max,h.max=b}if(Nt>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;l==J&&f.distr==2&&Nt>0&&(h.min=An(h.
min,u[0]),h.max=An(h.max,u[0]),h.min==h.max&&h.max++),pe[l]=h,Fr=!0,ms()}}p.batch=function(l,h=!1){Lo=!0,ei=h,l(p),Wd(),h&&Xs.length>0&&queueMicrotask(th)},p.redraw=
(l,h)=>{ss=h||!1,l!==!1?fa(J,Z.min,Z.max):ms()},p.setScale=ti;let ha=!1,Wt=ee.drag,Pt=Wt.x,It=Wt.y;ht&&(ee.x&&(Xr=xt("u-cursor-x",B)),ee.y&&(Qr=xt("u-cursor-y",
B)),Z.ori==0?(us=Xr,ps=Qr):(us=Qr,ps=Xr),at=ee.left,dt=ee.top);let st=p.select=yt({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),$s=st.show?xt("u-sel\
ect",st.over?B:Y):null;function Fo(l,h){if(st.show){for(let f in l)st[f]=l[f],f in si&&ne($s,f,l[f]);h!==!1&&Ot("setSelect")}}function fa(l,h,f){ti(l,{min:h,max:f})}
function Wn(l,h,f,b){h.focus!=null&&(function(y){if(y!=Na){let j=y==null,M=Nn.alpha!=1;q.forEach(((I,z)=>{if(g==1||z>0){let L=j||z==0||z==y;I._focus=j?null:L,M&&
(function(H,ae){q[H].alpha=ae,ht&&jn[H]!=null&&(jn[H].style.opacity=ae),lt&&$n[H]&&($n[H].style.opacity=ae)})(z,L?1:Nn.alpha)}})),Na=y,M&&ms()}})(l),h.show!=null&&
q.forEach(((y,j)=>{0>=j||l!=j&&l!=null||(y.show=h.show,(function(M){if(q[M].show)lt&&Bt($n[M],e);else if(lt&&vt($n[M],e),ht){let I=rs?jn[0]:jn[M];I!=null&&Fn(I,
-10,-10,Ce,K)}})(j),g==2?(fa(y.facets[0].scale,null,null),fa(y.facets[1].scale,null,null)):fa(y.scale,null,null),ms())})),f!==!1&&Ot("setSeries",l,h),b&&no("set\
Series",p,l,h)}let Zn,ma,Na;p.setSelect=Fo,p.setSeries=Wn,p.addBand=function(l,h){l.fill=Pe(l.fill||null),l.dir=Le(l.dir,-1),Q.splice(h=h??Q.length,0,l)},p.setBand=
function(l,h){yt(Q[l],h)},p.delBand=function(l){l==null?Q.length=0:Q.splice(l,1)};let gs={focus:!0};function qn(l,h,f){let b=G[h];f&&(l=l/$e-(b.ori==1?Ft:Qe));let y=Ce;
b.ori==1&&(y=K,l=y-l),b.dir==-1&&(l=y-l);let j=b._min,M=j+l/y*(b._max-j),I=b.distr;return I==3?Ka(10,M):I==4?((z,L=1)=>hn.sinh(z)*L)(M,b.asinh):I==100?b.bwd(M):
M}function qd(l,h){ne($s,d,st.left=l),ne($s,n,st.width=h)}function Hd(l,h){ne($s,"top",st.top=l),ne($s,s,st.height=h)}lt&&os&&tn(U,En,(l=>{ee._lock||(La(l),Na!=
null&&Wn(null,gs,!0,kt.setSeries))})),p.valToIdx=l=>An(l,u[0]),p.posToIdx=function(l,h){return An(qn(l,J,h),u[0],Mt,Et)},p.posToVal=qn,p.valToPos=(l,h,f)=>G[h].
ori==0?k(l,G[h],f?In:Ce,f?_n:0):x(l,G[h],f?Oa:K,f?sn:0),p.setCursor=(l,h,f)=>{at=l.left,dt=l.top,Wa(null,h,f)};let Qs=Z.ori==0?qd:Hd,eo=Z.ori==1?qd:Hd;function ni(l,h){
if(l!=null&&(l.idxs?l.idxs.forEach(((f,b)=>{De[b]=f})):(f=>f===void 0)(l.idx)||De.fill(l.idx),ce.idx=De[0]),lt&&ce.live){for(let f=0;q.length>f;f++)(f>0||g==1&&
!kn)&&nh(f,De[f]);(function(){if(lt&&ce.live)for(let f=g==2?1:0;q.length>f;f++){if(f==0&&kn)continue;let b=ce.values[f],y=0;for(let j in b)da[f][y++].firstChild.
nodeValue=b[j]}})()}Cn=!1,h!==!1&&Ot("setLegend")}function nh(l,h){let f,b=q[l],y=l==0&&se==2?On:u[l];kn?f=b.values(p,l,h)??ca:(f=b.value(p,h==null?null:y[h],l,
h),f=f==null?ca:{_:f}),ce.values[l]=f}function Wa(l,h,f){let b;Fd=at,Nd=dt,[at,dt]=ee.move(p,at,dt),ee.left=at,ee.top=dt,ht&&(us&&Fn(us,Dt(at),0,Ce,K),ps&&Fn(ps,
0,Dt(dt),Ce,K)),Zn=Ye,ma=null;let y=Z.ori==0?Ce:K,j=Z.ori==1?Ce:K;if(0>at||Nt==0||Mt>Et){b=ee.idx=null;for(let M=0;q.length>M;M++){let I=jn[M];I!=null&&Fn(I,-10,
-10,Ce,K)}os&&Wn(null,gs,!0,l==null&&kt.setSeries),ce.live&&(De.fill(b),Cn=!0)}else{let M,I,z;g==1&&(M=Z.ori==0?at:dt,I=qn(M,J),b=ee.idx=An(I,u[0],Mt,Et),z=me(u[0][b],
Z,y,0));let L=-10,H=-10,ae=0,ze=0,ye=!0,ge="",ve="";for(let N=g==2?1:0;q.length>N;N++){let he=q[N],qe=De[N],gt=qe==null?null:g==1?u[N][qe]:u[N][1][qe],ot=ee.dataIdx(
p,N,b,I),Be=ot==null?null:g==1?u[N][ot]:u[N][1][ot];if(Cn=Cn||Be!=gt||ot!=qe,De[N]=ot,N>0&&he.show){let qt=ot==null?-10:ot==b?z:me(g==1?u[0][ot]:u[N][0][ot],Z,y,
0),Kt=Be==null?-10:Fe(Be,g==1?G[he.scale]:G[he.facets[1].scale],j,0);if(os&&Be!=null){let Vt=Z.ori==1?at:dt,ft=Tt(Nn.dist(p,N,ot,Kt,Vt));if(Zn>ft){let gn=Nn.bias;
if(gn!=0){let _t=qn(Vt,he.scale),rt=0>_t?-1:1;rt!=(0>Be?-1:1)||(rt==1?gn==1?_t>Be:Be>_t:gn==1?Be>_t:_t>Be)||(Zn=ft,ma=N)}else Zn=ft,ma=N}}if(Cn||rs){let Vt,ft;Z.
ori==0?(Vt=qt,ft=Kt):(Vt=Kt,ft=qt);let gn,_t,rt,Yt,rn,Sn,Xn=!0,ga=Gt.bbox;if(ga!=null){Xn=!1;let bn=ga(p,N);rt=bn.left,Yt=bn.top,gn=bn.width,_t=bn.height}else rt=
Vt,Yt=ft,gn=_t=Gt.size(p,N);if(Sn=Gt.fill(p,N),rn=Gt.stroke(p,N),rs)N!=ma||Zn>Nn.prox||(L=rt,H=Yt,ae=gn,ze=_t,ye=Xn,ge=Sn,ve=rn);else{let bn=jn[N];bn!=null&&(is[N]=
rt,ls[N]=Yt,hl(bn,gn,_t,Xn),ul(bn,Sn,rn),Fn(bn,yn(rt),yn(Yt),Ce,K))}}}}if(rs){let N=Nn.prox;if(Cn||(Na==null?N>=Zn:Zn>N||ma!=Na)){let he=jn[0];he!=null&&(is[0]=
L,ls[0]=H,hl(he,ae,ze,ye),ul(he,ge,ve),Fn(he,yn(L),yn(H),Ce,K))}}}if(st.show&&ha)if(l!=null){let[M,I]=kt.scales,[z,L]=kt.match,[H,ae]=l.cursor.sync.scales,ze=l.
cursor.drag;if(Pt=ze._x,It=ze._y,Pt||It){let ye,ge,ve,N,he,{left:qe,top:gt,width:ot,height:Be}=l.select,qt=l.scales[H].ori,Kt=l.posToVal,Vt=M!=null&&z(M,H),ft=I!=
null&&L(I,ae);Vt&&Pt?(qt==0?(ye=qe,ge=ot):(ye=gt,ge=Be),ve=G[M],N=me(Kt(ye,H),ve,y,0),he=me(Kt(ye+ge,H),ve,y,0),Qs(Mn(N,he),Tt(he-N))):Qs(0,y),ft&&It?(qt==1?(ye=
qe,ge=ot):(ye=gt,ge=Be),ve=G[I],N=Fe(Kt(ye,ae),ve,j,0),he=Fe(Kt(ye+ge,ae),ve,j,0),eo(Mn(N,he),Tt(he-N))):eo(0,j)}else oi()}else{let M=Tt(Fd-zd),I=Tt(Nd-Ld);if(Z.
ori==1){let ae=M;M=I,I=ae}Pt=Wt.x&&M>=Wt.dist,It=Wt.y&&I>=Wt.dist;let z,L,H=Wt.uni;H!=null?Pt&&It&&(Pt=M>=H,It=I>=H,Pt||It||(I>M?It=!0:Pt=!0)):Wt.x&&Wt.y&&(Pt||
It)&&(Pt=It=!0),Pt&&(Z.ori==0?(z=hs,L=at):(z=fs,L=dt),Qs(Mn(z,L),Tt(L-z)),It||eo(0,j)),It&&(Z.ori==1?(z=hs,L=at):(z=fs,L=dt),eo(Mn(z,L),Tt(L-z)),Pt||Qs(0,y)),Pt||
It||(Qs(0,0),eo(0,0))}if(Wt._x=Pt,Wt._y=It,l==null){if(f){if(ec!=null){let[M,I]=kt.scales;kt.values[0]=M!=null?qn(Z.ori==0?at:dt,M):null,kt.values[1]=I!=null?qn(
Z.ori==1?at:dt,I):null}no(S,p,at,dt,Ce,K,b)}if(os){let M=f&&kt.setSeries,I=Nn.prox;Na==null?Zn>I||Wn(ma,gs,!0,M):Zn>I?Wn(null,gs,!0,M):ma!=Na&&Wn(ma,gs,!0,M)}}Cn&&
(ce.idx=b,ni()),h!==!1&&Ot("setCursor")}p.setLegend=ni;let $a=null;function to(l=!1){l?$a=null:($a=B.getBoundingClientRect(),Ot("syncRect",$a))}function Ud(l,h,f,b,y,j){
ee._lock||ha&&l!=null&&l.movementX==0&&l.movementY==0||(ai(l,h,f,b,y,j,0,!1,l!=null),l!=null?Wa(null,!0,!0):Wa(h,!0,!1))}function ai(l,h,f,b,y,j,M,I,z){if($a==null&&
to(!1),La(l),l!=null)f=l.clientX-$a.left,b=l.clientY-$a.top;else{if(0>f||0>b)return at=-10,void(dt=-10);let[L,H]=kt.scales,ae=h.cursor.sync,[ze,ye]=ae.values,[ge,
ve]=ae.scales,[N,he]=kt.match,qe=h.axes[0].side%2==1,gt=Z.ori==0?Ce:K,ot=Z.ori==1?Ce:K,Be=qe?j:y,qt=qe?y:j,Kt=qe?b:f,Vt=qe?f:b;if(f=ge!=null?N(L,ge)?D(ze,G[L],gt,
0):-10:gt*(Kt/Be),b=ve!=null?he(H,ve)?D(ye,G[H],ot,0):-10:ot*(Vt/qt),Z.ori==1){let ft=f;f=b,b=ft}}!z||h!=null&&h.cursor.event.type!=S||(f>1&&Ce-1>f||(f=Ra(f,Ce)),
b>1&&K-1>b||(b=Ra(b,K))),I?(zd=f,Ld=b,[hs,fs]=ee.move(p,f,b)):(at=f,dt=b)}Object.defineProperty(p,"rect",{get:()=>($a==null&&to(!1),$a)});let si={width:0,height:0,
left:0,top:0};function oi(){Fo(si,!1)}let Bd,Jd,Gd,Kd;function Vd(l,h,f,b,y,j){ha=!0,Pt=It=Wt._x=Wt._y=!1,ai(l,h,f,b,y,j,0,!0,!1),l!=null&&(tn(v,an,Yd,!1),no(E,
p,hs,fs,Ce,K,null));let{left:M,top:I,width:z,height:L}=st;Bd=M,Jd=I,Gd=z,Kd=L}function Yd(l,h,f,b,y,j){ha=Wt._x=Wt._y=!1,ai(l,h,f,b,y,j,0,!1,!0);let{left:M,top:I,
width:z,height:L}=st,H=z>0||L>0,ae=Bd!=M||Jd!=I||Gd!=z||Kd!=L;if(H&&ae&&Fo(st),Wt.setScale&&H&&ae){let ze=M,ye=z,ge=I,ve=L;if(Z.ori==1&&(ze=I,ye=L,ge=M,ve=z),Pt&&
fa(J,qn(ze,J),qn(ze+ye,J)),It)for(let N in G){let he=G[N];N!=J&&he.from==null&&he.min!=Ye&&fa(N,qn(ge+ve,N),qn(ge,N))}oi()}else ee.lock&&(ee._lock=!ee._lock,Wa(
h,!0,l!=null));l!=null&&(as(v,an),no(v,p,at,dt,Ce,K,null))}function Zd(l){ee._lock||(La(l),Kr(),oi(),l!=null&&no(te,p,at,dt,Ce,K,null))}function Xd(){be.forEach(
Zp),Nr(p.width,p.height,!0)}Ta(we,pt,Xd);let bs={};bs.mousedown=Vd,bs.mousemove=Ud,bs.mouseup=Yd,bs.dblclick=Zd,bs.setSeries=(l,h,f,b)=>{(f=(0,kt.match[2])(p,h,
f))!=-1&&Wn(f,b,!0,!1)},ht&&(tn(E,B,Vd),tn(S,B,Ud),tn(T,B,(l=>{La(l),to(!1)})),tn(U,B,(function(l){if(ee._lock)return;La(l);let h=ha;if(ha){let f,b,y=!0,j=!0,M=10;
Z.ori==0?(f=Pt,b=It):(f=It,b=Pt),f&&b&&(y=M>=at||at>=Ce-M,j=M>=dt||dt>=K-M),f&&y&&(at=hs>at?0:Ce),b&&j&&(dt=fs>dt?0:K),Wa(null,!0,!0),ha=!1}at=-10,dt=-10,De.fill(
null),Wa(null,!0,!0),h&&(ha=h)})),tn(te,B,Zd),zr.add(p),p.syncRect=to);let No=p.hooks=i.hooks||{};function Ot(l,h,f){ei?Xs.push([l,h,f]):l in No&&No[l].forEach(
(b=>{b.call(null,p,h,f)}))}(i.plugins||[]).forEach((l=>{for(let h in l.hooks)No[h]=(No[h]||[]).concat(l.hooks[h])}));let Qd=(l,h,f)=>f,kt=yt({key:null,setSeries:!1,
filters:{pub:Cl,sub:Cl},scales:[J,q[1]?q[1].scale:null],match:[jl,jl,Qd],values:[null,null]},ee.sync);kt.match.length==2&&kt.match.push(Qd),ee.sync=kt;let ec=kt.
key,ri=dd(ec);function no(l,h,f,b,y,j,M){kt.filters.pub(l,h,f,b,y,j,M)&&ri.pub(l,h,f,b,y,j,M)}function ii(){Ot("init",i,u),Rd(u||i.data,!1),pe[J]?ti(J,pe[J]):Kr(),
Eo=st.show&&(st.width>0||st.height>0),za=Cn=!0,Nr(i.width,i.height)}return ri.sub(p),p.pub=function(l,h,f,b,y,j,M){kt.filters.sub(l,h,f,b,y,j,M)&&bs[l](null,h,f,
b,y,j,M)},p.destroy=function(){ri.unsub(p),zr.delete(p),ua.clear(),vr(we,pt,Xd),R.remove(),En?.remove(),Ot("destroy")},q.forEach(Td),be.forEach((function(l,h){if(l.
_show=l.show,l.show){let f=G[l.scale];f==null&&(l.scale=l.side%2?q[1].scale:J,f=G[l.scale]);let b=f.time;l.size=Pe(l.size),l.space=Pe(l.space),l.rotate=Pe(l.rotate),
la(l.incrs)&&l.incrs.forEach((j=>{!ia.has(j)&&ia.set(j,Tl(j))})),l.incrs=Pe(l.incrs||(f.distr==2?xp:b?ue==1?yp:Cp:Aa)),l.splits=Pe(l.splits||(b&&f.distr==1?Rt:f.
distr==3?Mr:f.distr==4?Mp:Ap)),l.stroke=Pe(l.stroke),l.grid.stroke=Pe(l.grid.stroke),l.ticks.stroke=Pe(l.ticks.stroke),l.border.stroke=Pe(l.border.stroke);let y=l.
values;l.values=la(y)&&!la(y[0])?Pe(y):b?la(y)?Bl(Ee,Ul(y,it)):Rl(y)?(function(j,M){let I=jr(M);return(z,L)=>L.map((H=>I(j(H))))})(Ee,y):y||Xe:y||Rp,l.filter=Pe(
l.filter||(3>f.distr||f.log!=10?f.distr==3&&f.log==2?Op:_l:Ip)),l.font=Cd(l.font),l.labelFont=Cd(l.labelFont),l._size=l.size(p,null,h,0),l._space=l._rotate=l._incrs=
l._found=l._splits=l._values=null,l._size>0&&(Fa[h]=!0,l._el=xt("u-axis",W))}})),m?m instanceof HTMLElement?(m.appendChild(R),ii()):m(p,ii):ii(),p}Jt.assign=yt,
Jt.fmtNum=yr,Jt.rangeNum=xo,Jt.rangeLog=wo,Jt.rangeAsinh=wr,Jt.orient=Ma,Jt.pxRatio=$e,Jt.join=function(i,u){if((function(x){let D=x[0][0],A=D.length;for(let R=1;x.
length>R;R++){let P=x[R][0];if(P.length!=A)return!1;if(P!=D){for(let _=0;A>_;_++)if(P[_]!=D[_])return!1}}return!0})(i)){let x=i[0].slice();for(let D=1;i.length>
D;D++)x.push(...i[D].slice(1));return(function(D,A=100){let R=D.length;if(1>=R)return!0;let P=0,_=R-1;for(;_>=P&&D[P]==null;)P++;for(;_>=P&&D[_]==null;)_--;if(P>=
_)return!0;let W=en(1,fn((_-P+1)/A));for(let Y=D[P],B=P+W;_>=B;B+=W){let V=D[B];if(V!=null){if(Y>=V)return!1;Y=V}}return!0})(x[0])||(x=(function(D){let A=D[0],R=A.
length,P=Array(R);for(let W=0;P.length>W;W++)P[W]=W;P.sort(((W,Y)=>A[W]-A[Y]));let _=[];for(let W=0;D.length>W;W++){let Y=D[W],B=Array(R);for(let V=0;R>V;V++)B[V]=
Y[P[V]];_.push(B)}return _})(x)),x}let m=new Set;for(let x=0;i.length>x;x++){let D=i[x][0],A=D.length;for(let R=0;A>R;R++)m.add(D[R])}let p=[Array.from(m).sort(
((x,D)=>x-D))],g=p[0].length,k=new Map;for(let x=0;g>x;x++)k.set(p[0][x],x);for(let x=0;i.length>x;x++){let D=i[x],A=D[0];for(let R=1;D.length>R;R++){let P=D[R],
_=Array(g).fill(void 0),W=u?u[x][R]:1,Y=[];for(let B=0;P.length>B;B++){let V=P[B],xe=k.get(A[B]);V===null?W!=0&&(_[xe]=V,W==2&&Y.push(xe)):_[xe]=V}hp(_,Y,g),p.push(
_)}}return p},Jt.fmtDate=jr,Jt.tzDate=function(i,u){let m;return u=="UTC"||u=="Etc/UTC"?m=new Date(+i+6e4*i.getTimezoneOffset()):u==vp?m=i:(m=new Date(i.toLocaleString(
"en-US",{timeZone:u})),m.setMilliseconds(i.getMilliseconds())),m},Jt.sync=dd;{Jt.addGap=function(u,m,p){let g=u[u.length-1];g&&g[0]==m?g[1]=p:u.push([m,p])},Jt.
clipGaps=To;let i=Jt.paths={points:$d};i.linear=bd,i.stepped=function(u){let m=Le(u.align,1),p=Le(u.ascDesc,!1),g=Le(u.alignGaps,0),k=Le(u.extend,!1);return(x,D,A,R)=>Ma(
x,D,((P,_,W,Y,B,V,xe,ue,q,be,G)=>{[A,R]=vo(W,A,R);let Q=P.pxRound,{left:J,width:ke}=x.bbox,_e=De=>Q(V(De,Y,be,ue)),Se=De=>Q(xe(De,B,G,q)),Me=Y.ori==0?Xa:Qa,Z={stroke:new Path2D,
fill:null,clip:null,band:null,gaps:null,flags:1},se=Z.stroke,me=Y.dir*(Y.ori==0?1:-1),Fe=Se(W[me==1?A:R]),pe=_e(_[me==1?A:R]),Ee=pe,it=pe;k&&m==-1&&(it=J,Me(se,
it,Fe)),Me(se,pe,Fe);for(let De=me==1?A:R;De>=A&&R>=De;De+=me){let ce=W[De];if(ce==null)continue;let ee=_e(_[De]),lt=Se(ce);m==1?Me(se,ee,Fe):Me(se,Ee,lt),Me(se,
ee,lt),Fe=lt,Ee=ee}let Rt=Ee;k&&m==1&&(Rt=J+ke,Me(se,Rt,Fe));let[Xe,Lt]=Pr(x,D);if(P.fill!=null||Xe!=0){let De=Z.fill=new Path2D(se),ce=Se(P.fillTo(x,D,P.min,P.
max,Xe));Me(De,Rt,ce),Me(De,it,ce)}if(!P.spanGaps){let De=[];De.push(...Ir(_,W,A,R,me,_e,g));let ce=P.width*$e/2,ee=p||m==1?ce:-ce,lt=p||m==-1?-ce:ce;De.forEach(
(ht=>{ht[0]+=ee,ht[1]+=lt})),Z.gaps=De=P.gaps(x,D,A,R,De),Z.clip=To(De,Y.ori,ue,q,be,G)}return Lt!=0&&(Z.band=Lt==2?[Kn(x,D,A,R,se,-1),Kn(x,D,A,R,se,1)]:Kn(x,D,
A,R,se,Lt)),Z}))},i.bars=function(u){let m=Le((u=u||Js).size,[.6,Ye,1]),p=u.align||0,g=u.gap||0,k=u.radius;k=k==null?[0,0]:typeof k=="number"?[k,0]:k;let x=Pe(k),
D=1-m[0],A=Le(m[1],Ye),R=Le(m[2],1),P=Le(u.disp,Js),_=Le(u.each,(()=>{})),{fill:W,stroke:Y}=P;return(B,V,xe,ue)=>Ma(B,V,((q,be,G,Q,J,ke,_e,Se,Me,Z,se)=>{let me,
Fe,pe=q.pxRound,Ee=p,it=g*$e,Rt=A*$e,Xe=R*$e;Q.ori==0?[me,Fe]=x(B,V):[Fe,me]=x(B,V);let Lt=Q.dir*(Q.ori==0?1:-1),De,ce,ee,lt=Q.ori==0?Ao:Or,ht=Q.ori==0?_:(K,Qe,Ft,Pa,Yn,Ia,Pn)=>{
_(K,Qe,Ft,Yn,Pa,Pn,Ia)},mt=Le(B.bands,Cr).find((K=>K.series[0]==V)),En=q.fillTo(B,V,q.min,q.max,mt!=null?mt.dir:0),es=pe(_e(En,J,se,Me)),mn=Z,$t=pe(q.width*$e),
$n=!1,da=null,kn=null,ca=null,ts=null;W==null||$t!=0&&Y==null||($n=!0,da=W.values(B,V,xe,ue),kn=new Map,new Set(da).forEach((K=>{K!=null&&kn.set(K,new Path2D)})),
$t>0&&(ca=Y.values(B,V,xe,ue),ts=new Map,new Set(ca).forEach((K=>{K!=null&&ts.set(K,new Path2D)}))));let{x0:ns,size:Vs}=P;if(ns!=null&&Vs!=null){Ee=1,be=ns.values(
B,V,xe,ue),ns.unit==2&&(be=be.map((Qe=>B.posToVal(Se+Qe*Z,Q.key,!0))));let K=Vs.values(B,V,xe,ue);ce=Vs.unit==2?K[0]*Z:ke(K[0],Q,Z,Se)-ke(0,Q,Z,Se),mn=vd(be,G,ke,
Q,Z,Se,mn),ee=mn-ce+it}else mn=vd(be,G,ke,Q,Z,Se,mn),ee=mn*D+it,ce=mn-ee;1>ee&&(ee=0),ce/2>$t||($t=0),5>ee&&(pe=kl);let ua=ee>0;ce=pe(_r(mn-ee-(ua?$t:0),Xe,Rt)),
De=(Ee==0?ce/2:Ee==Lt?0:ce)-Ee*Lt*((Ee==0?it/2:0)+(ua?$t/2:0));let tn={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},as=$n?null:new Path2D,Vn=null;
if(mt!=null)Vn=B.data[mt.series[1]];else{let{y0:K,y1:Qe}=P;K!=null&&Qe!=null&&(G=Qe.values(B,V,xe,ue),Vn=K.values(B,V,xe,ue))}let Ea=me*ce,Ce=Fe*ce;for(let K=Lt==
1?xe:ue;K>=xe&&ue>=K;K+=Lt){let Qe=G[K];if(Qe==null)continue;if(Vn!=null){let sn=Vn[K]??0;if(Qe-sn==0)continue;es=_e(sn,J,se,Me)}let Ft=ke(Q.distr!=2||P!=null?be[K]:
K,Q,Z,Se),Pa=_e(Le(Qe,En),J,se,Me),Yn=pe(Ft-De),Ia=pe(en(Pa,es)),Pn=pe(Mn(Pa,es)),_n=Ia-Pn;if(Qe!=null){let sn=0>Qe?Ce:Ea,In=0>Qe?Ea:Ce;$n?($t>0&&ca[K]!=null&&lt(
ts.get(ca[K]),Yn,Pn+fn($t/2),ce,en(0,_n-$t),sn,In),da[K]!=null&&lt(kn.get(da[K]),Yn,Pn+fn($t/2),ce,en(0,_n-$t),sn,In)):lt(as,Yn,Pn+fn($t/2),ce,en(0,_n-$t),sn,In),
ht(B,V,K,Yn-$t/2,Pn,ce+$t,_n)}}return $t>0?tn.stroke=$n?ts:as:$n||(tn._fill=q.width==0?q._fill:q._stroke??q._fill,tn.width=0),tn.fill=$n?kn:as,tn}))},i.spline=function(u){
return(function(m,p){let g=Le(p?.alignGaps,0);return(k,x,D,A)=>Ma(k,x,((R,P,_,W,Y,B,V,xe,ue,q,be)=>{[D,A]=vo(_,D,A);let G,Q,J,ke=R.pxRound,_e=Xe=>ke(B(Xe,W,q,xe)),
Se=Xe=>ke(V(Xe,Y,be,ue));W.ori==0?(G=Do,J=Xa,Q=fd):(G=Ro,J=Qa,Q=md);let Me=W.dir*(W.ori==0?1:-1),Z=_e(P[Me==1?D:A]),se=Z,me=[],Fe=[];for(let Xe=Me==1?D:A;Xe>=D&&
A>=Xe;Xe+=Me)if(_[Xe]!=null){let Lt=_e(P[Xe]);me.push(se=Lt),Fe.push(Se(_[Xe]))}let pe={stroke:m(me,Fe,G,J,Q,ke),fill:null,clip:null,band:null,gaps:null,flags:1},
Ee=pe.stroke,[it,Rt]=Pr(k,x);if(R.fill!=null||it!=0){let Xe=pe.fill=new Path2D(Ee),Lt=Se(R.fillTo(k,x,R.min,R.max,it));J(Xe,se,Lt),J(Xe,Z,Lt)}if(!R.spanGaps){let Xe=[];
Xe.push(...Ir(P,_,D,A,Me,_e,g)),pe.gaps=Xe=R.gaps(k,x,D,A,Xe),pe.clip=To(Xe,W.ori,xe,ue,q,be)}return Rt!=0&&(pe.band=Rt==2?[Kn(k,x,D,A,Ee,-1),Kn(k,x,D,A,Ee,1)]:
Kn(k,x,D,A,Ee,Rt)),pe}))})(Hp,u)}}return Jt})(),rr=Nh;function Ms(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var Oi="11px system-ui, sans-serif",ou=(e,t,n=52)=>({stroke:Ms(
"--ink-faint",e),font:Oi,size:n,values:t,grid:{stroke:Ms("--line",e),width:1},ticks:{show:!1}}),Wh=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function qh(e,t,n){let{ctx:s}=e,{left:o,top:r,width:d,height:c}=e.bbox,$=w=>Math.min(Math.max(w,o),o+d);s.save();for(let w of t){let S=e.valToPos(Date.parse(w.at)/
1e3,"x",!0);if(w.kind==="outage"){let E=w.until?e.valToPos(Date.parse(w.until)/1e3,"x",!0):o+d;s.fillStyle=Ms("--bad-soft",n),s.fillRect($(S),r,Math.max($(E)-$(
S),devicePixelRatio),c)}else S>=o&&S<=o+d&&(s.strokeStyle=Ms("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(S,r),s.lineTo(S,r+c),s.stroke())}s.restore()}function Hh({marks:e,from:t,to:n}){let s=r=>(r.kind==="start"?Date.parse(r.at):r.until?Date.
parse(r.until):ct())/1e3,o=e.filter(r=>s(r)>=t&&Date.parse(r.at)/1e3<=n);return o.length===0?null:a`<ul class="marks small soft">${o.slice(-4).map(r=>a`<li><i class=${r.
kind}></i><span class="nowrap" title=${zt(r.at)}>${ln(r.at)}</span> ${r.says}${r.kind==="outage"&&(r.until?` for ${cn((Date.parse(r.until)-Date.parse(r.at))/1e3)}`:
", still")}</li>`)}</ul>`}function Ca({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:d,counts:c,marks:$}){let w=Ht($);w.current=$;let S=Ht(null),E=Ht(
null),v=()=>{let T=S.current;E.current?.destroy(),E.current=new rr({tzDate:U=>Tn()?rr.tzDate(new Date(U*1e3),"UTC"):new Date(U*1e3),width:T.clientWidth,height:n,
padding:[8,8,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{y:{range:(U,te,ie)=>[Math.min(0,te??0),Math.max(ie??0,r)*1.1]}},hooks:{drawClear:[U=>qh(
U,w.current??[],T)]},axes:[{...ou(T),size:46,space:70,label:oo(),labelSize:14,labelGap:0,labelFont:Oi,values:(U,te,ie,we,le)=>Ec(te,le)},{...ou(T,(U,te)=>te.map(
s??String),d?66:52),...c?{incrs:Wh}:{},...d?{label:d,labelSize:16,labelGap:0,labelFont:Oi}:{}}],series:[{value:(U,te)=>te?zt(te*1e3):""},...t.map(([U,te,ie])=>({
label:U,stroke:Ms(te,T),width:1.75,points:{show:!1},value:(we,le)=>le==null?"":(s??String)(le),...ie,...ie?.filled?{fill:Ms(ie.filled,T)}:{}}))]},e,T)};return Te(
()=>{v();let T=new ResizeObserver(()=>{E.current&&S.current&&E.current.width!==S.current.clientWidth&&E.current.setSize({width:S.current.clientWidth,height:n})});
T.observe(S.current);let U=sr(v);return()=>{T.disconnect(),U(),E.current?.destroy()}},[]),Te(()=>{E.current?.setData(e)},[e]),Te(()=>{E.current?.redraw(!1)},[$]),
a`<div class="chart" ref=${S} role="img" aria-label=${o}></div>
    ${$?.length>0&&a`<${Hh} marks=${$} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,ct()/1e3-60)} />`}`}var zi=()=>rr.paths.bars({size:[.7,26],radius:.15});var Uh=new Intl.Collator("en",{numeric:!0}),Bh=(e,t)=>typeof e=="number"?e-t:Uh.compare(e,t);function ru(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(na().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[Zt(()=>{if(!r)return t;let c=t.filter($=>r.value($)!=null).sort(($,w)=>Bh(r.value($),r.value(w)));return[...s?c.reverse():
c,...t.filter($=>r.value($)==null)]},[t,o,s]),e.map(c=>a`<${Jh} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function Jh({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>et(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Es({columns:e,rows:t,id:n,href:s,
label:o}){let[r,d]=ru(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${d}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map($=>a`<td class=${`${$.num?"num":""} ${$.look??""}`} data-name=${$.card===!1?void 0:$.title}>${$.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var Gh=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function nt({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[d,c]=ru(e.map(([$,w,S,E])=>({key:Gh($),title:$,value:w,num:S,meaning:E})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${d.
map(r)}</tbody></table>`}var ir=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Xt=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:ir(e.target),Li=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${C(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${C(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
Fi=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every;function Ni({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.late?a`<span class="badge bad">late</span> <span class="small"><${js} at=${e.late} /></span>`:e.next?a`next export <${re} at=${e.
next} />`:a`<span class="soft">looks ${Fi(e)}</span>`:a`<span class="faint">no feed</span>`}var Kh=[{key:"name",title:"Audience",card:!1,value:e=>Xt(e),cell:e=>a`<a class="id" href=${oe(
"audiences",e.target)}>${Xt(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level==="bad"?"bad-ink":""}"><${At} text=${t.says} /></div>`)}`},{key:"\
size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:a`<b>${C(e.size)}</b><div class="note">${e.
sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${Li} c=${e.
last} />${e.last&&a`<div class="note"><${re} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expiry",num:!0,value:e=>e.expiry,meaning:"Days after which a memb\
er leaves the segment unless it is uploaded again",cell:e=>e.expiry?F(e.expiry,"day"):a`<span class="faint none">–</span>`},{key:"feed",title:"Feed",value:e=>e.
feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${Ni} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",num:!0,value:e=>e.ledger&&Date.parse(
e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${re} at=${e.ledger.at} />${e.ledger.changed&&a`<div class="note">changed since</div>`}`:
a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,cell:e=>e.open?C(e.open):a`<span class="faint">0</span>`}];
function iu({params:e}){let t=je("/api/audiences",["audiences","letters"]);return a`<${He} title="Audiences" acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub="The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.">
    <${ut} result=${t}>${({audiences:n,looking:s})=>{let o=n.filter(c=>c.problems.length>0),r=(e.text??"").toLowerCase(),d=(e.only==="problems"?o:n).filter(c=>`${Xt(
c)} ${ir(c.target)} ${c.feed?.name??""}`.toLowerCase().includes(r));return a`<div class="filters"><${Rn} label="Search audience or feed …" value=${e.text} onText=${c=>et(
{text:c})} />
        <${ka} label="Which" value=${e.only} onPick=${c=>et({only:c})} options=${[["","All",Ts(n.length,s)],["problems","With problems",o.length]]} /></div>
        <${X} flush>${d.length===0?a`<${Ae} title=${s?"No audience found so far":n.length?"No audience matches":"No audiences yet"}>${s?"Older jobs are being re\
ad.":n.length?"Remove a filter to see others.":"A segment appears here with its first job or feed."}<//>`:a`<${Es} label="Audiences" columns=${Kh} rows=${d} params=${e} id=${c=>c.
target} href=${c=>oe("audiences",c.target)} /><div class="foot">${F(d.length,"audience")}</div>`}<${Ss} l=${s} /><//>`}}<//>
  <//>`}var lr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Ba=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Vh({tally:e}){let t=e.read||1,n=lr.filter(([s])=>Ba(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${C(Ba(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${lr.map(([s])=>Ba(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Ba(e[s])/t}}></i>`)}
  </div>`}function lu({tally:e,dryRun:t}){let n=lr.reduce((s,[o])=>s+Ba(e[o]),0);return a`<${Vh} tally=${e} />
    <div class="legend">
      ${lr.map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${C(Ba(e[s]))}</b>
        ${typeof e[s]=="object"&&Ba(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,d)=>d[1]-r[1]).map(([r,d])=>a`<span>${aa(r)}<span>${C(d)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${C(n)}</b> ${n===e.read?a`<span class="good-ink">= ${F(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${F(e.read,"row")} read: please report this</span>`}</span></div>`}var Yh={queued:"queued",running:"running",retrying:"waiting for the next attempt"},Wi=e=>["done","failed","cancelled"].includes(e);function Zh(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let d=r.map(E=>({state:E.state,at:Date.parse(E.at)}));o===1&&Date.parse(
e.submitted)<d[0].at&&d.unshift({state:"queued",at:Date.parse(e.submitted)});let c=d.at(-1),$=Wi(c.state)?c.at:Math.max(n,c.at),w=0,S=d.filter(E=>!Wi(E.state)).
map((E,v)=>(E.state==="running"&&d[v-1]?.state!=="running"&&w++,{...E,attempt:w,long:((d[v+1]?.at??$)-E.at)/1e3}));return{run:o,phases:Xh(S),from:d[0].at,to:$,end:Wi(
c.state)?c.state:""}})}function Xh(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var qi=e=>Yh[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${C(e.attempt)}`:"");function Qh({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let d=Math.max((s-n)/1e3,.001),c=t.map(
$=>`${qi($)} ${cn($.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${C(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map(($,w)=>a`<i key=${w} class=${$.state} style=${{flexGrow:Math.max($.long/d,
.01)}} title=${`${qi($)}: ${cn($.long)}`}></i>`)}${o&&a`<b class=${Pi(o)}></b>`}</div>
    <div class="ends small faint"><span title=${zt(n)}>${ln(n)}</span><span>${o||"now"} after ${cn(d)}</span></div>
    <ul class="small soft">${t.slice(0,12).map($=>a`<li><i class="dot ${$.state}"></i>${qi($)} <b>${cn($.long)}</b></li>`)}${t.length>12&&a`<li>and ${C(t.length-
12)} more phases</li>`}</ul></figure>`}function du({r:e,history:t}){let n=Cs(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Zh(e,s,n),r=s.filter(d=>d.
error).slice(-5);return a`<${X} title="Timeline">
    ${o.slice(-6).map(d=>a`<${Qh} key=${d.run} r=${d} many=${o.length>1||d.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${C(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(d=>a`<div class="small break"><span class="bad-ink" title=${d.error.class}>${nn(d.error.class)}</span> <${re} at=${d.at} /></div>`)}<//>`}var ja=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),ef={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function tf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${oe("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function cu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",d=e.files>1?`, ${F(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${d}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${ja(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${ef[e.delimiter]??a`<code>${ja(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${F(e.skip,"line")}`:a`lines that begin with <code>${ja(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${ja(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${C(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${jt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${ja(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${F(c.count,"id")}: ${tf(c.reason)}${c.at&&a`<div class="note">as of its generation ${C(c.generation)}, <${re} at=${c.
at} /></div>`}</dd>`)}
`}var uu=({u:e})=>a`<${X} title="How the export was read"><dl class="facts">${cu(e)}</dl><//>`,nf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function pu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${X} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${re} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      <dt>Rows</dt><dd>${C(e.rows)}</dd>
      ${cu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${nf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(ja).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(ja).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?ja(s.replace("."," by ")):aa(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Hi=e=>["done","failed","cancelled"].includes(e);function hu(e){let t=je("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=O(!1),o=t.data?.record,r=o&&a`<${sa} is=${o.
state} /> <${Dn} kind=${o.kind} target=${t.data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:""}`,d=o&&a`
    ${o.state==="failed"&&a`<a class="button" href=${$u(e)}>Fix and replay …</a>`}
    ${!Hi(o.state)&&Je("operator")&&a`<button class="danger" onClick=${()=>s(!0)}>Cancel job</button>`}`,c=a`<${ut} result=${t}>${$=>a`<${af} page=${$} />`}<//>
    ${n&&a`<${Ui} ids=${[e]} onClose=${()=>s(!1)} onDone=${t.reload} />`}`;return{sub:r,acts:d,body:c}}function fu({id:e}){let{sub:t,acts:n,body:s}=hu(e);return a`<${He} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}
function mu({id:e,onClose:t}){let{sub:n,acts:s,body:o}=hu(e),r=Ht(null);return Te(()=>{r.current?.focus({preventScroll:!0});let d=c=>{c.key==="Escape"&&!document.
querySelector("dialog[open]")&&t()};return window.addEventListener("keydown",d),()=>{window.removeEventListener("keydown",d),document.querySelector(`a.id[href$=\
"job=${CSS.escape(encodeURIComponent(e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${oe("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function Ui({ids:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e.length===1?"Cancel this job?":`Cancel ${F(e.length,"job")}\
?`,d=async()=>{if(e.length===1)await Ie(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ke(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:$}=await Ie(
"/api/jobs/cancel",{ids:e,reason:s});Ke(`${F(c,"job")} cancelled${$.length?`; ${C($.length)} not: ${$[0].why}`:""}`,$.length>0)}n()};return a`<${Ge} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${F(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${d}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
var $u=e=>"#/letters?id="+encodeURIComponent(e);function af({page:e}){let t=e.record,n=t.job??{},s=Ua({...t,accepted:t.tally.accepted,dryRun:n.dryRun});return a`
    ${t.consequence&&a`<${fe} level=${t.consequence.large?"bad":""} says=${`${vn(e.target,t.targetName)}: ${s}`} hint=${t.consequence.large?`It ${n.dryRun?"woul\
d remove":"has removed"} more than half of what maxRemovePercent allows, ${n.maxRemovePercent??20} % of the members. If that is not right, usher ledger rollback\
 brings back the generation before.`:""} />`}
    ${t.error&&a`<${fe} level="bad" says=${a`<span title=${t.error.class}>${nn(t.error.class)}</span>: <${At} text=${t.error.message} />`} hint=${t.error.hint} of=${t.
error.class} to=${t.state==="failed"?$u(t.id):""} />`}
    ${t.why&&!Hi(t.state)&&a`<${fe} level=${t.state==="running"?"":"warn"} says=${t.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[t.state]}>${t.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${oe("jobs",t.waitsFor.job)}>${t.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||t.parts.total>1?a`<${rf} r=${t} parts=${e.parts??[]} />`:null}
        ${(t.tally.read>0||sf(t))&&a`<${X} title="Where every row went" side=${n.dryRun&&a`<span class="tag">dry run</span>`}><${lu} tally=${t.tally} dryRun=${n.
dryRun} /><//>`}
        ${t.warnings.length>0&&a`<${X} title="Warnings" flush><${nt} name="warnings" rows=${t.warnings} columns=${[["What",o=>o.description],["Times",o=>o.count,
!0]]}>${o=>a`<tr><td class="break whole" title=${o.code}><${jt} text=${o.description} /></td><td class="num" data-name="Times">${C(o.count)}</td></tr>`}<//><//>`}
        ${t.samples.length>0&&a`<${of} all=${t.samples} />`}
        <${X}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(n,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${lf} r=${t} target=${e.target} />${t.understood&&a`<${uu} u=${t.understood} />`}<${du} r=${t} history=${e.history} /></div>
    </div>`}var sf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&Hi(e.state)&&e.state==="\
done";function of({all:e}){let[t,n]=O(!1),s=6;return a`<${X} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${nt} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${C(
o.row)}</td><td title=${o.reason}>${aa(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${C(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function rf({
r:e,parts:t}){let n=new Map(t.map(r=>[r.number,r])),{total:s,done:o}=e.parts;return a`<${X} title="Parts" side=${a`<span class="soft">${C(o)} of ${C(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(r,d)=>{let c=n.get(d)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${d} class=${c?.
state??""} title=${`part ${d+1}: ${c?c.state+(c.read===null?"":`, ${C(c.read)} rows`):"waiting"}`}></i>`})}</div><//>`}function lf({r:e,target:t}){let n=e.kind.
startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${X} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${oe("campaigns",n)}>${vn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${oe("audiences",t)}>${vn(t,e.targetName)}</a>`:
vn(t)}</dd>
    <dt>Submitted</dt><dd><${re} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${re} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${re} at=${e.finished} />${e.started&&a` <span class="faint">after ${cn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${C(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${F(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${F(e.batches,"batch","batches")}, ${ys(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${C(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?C(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${C(e.numberOfIds.before)} before, ${C(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Re({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var Ji=[["","All kinds"],...Object.entries(uo).map(([e,[t]])=>[e,t])],df=["queued","running","retrying","done","failed","cancelled"],cf=50,uf=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],fo=e=>["done","failed","cancelled"].includes(e);
function pf({span:e,from:t,to:n}){return e==="days"?{since:t&&ki(t),until:n&&ki(n,1)}:{since:e&&new Date(Math.floor(ct()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function bu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...pf(e)},n=je("/api/jobs"+Re({...t,after:e.after,limit:cf}),["jobs"]),[s,o]=O(
[]),[r,d]=O(!1),c=n.data??n.stale,$=c?Object.values(c.states).reduce((T,U)=>T+U,0):void 0,w=T=>{o([]),et({after:"",...T})},S=c?.jobs.filter(T=>!fo(T.state)).map(
T=>T.id)??[],E=s.filter(T=>S.includes(T)),v={...e,job:""};return a`<${He} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Rn} label="Search id, target, error …" value=${e.text} onText=${T=>w({text:T})} />
      <${Jn} label="Kind" value=${e.kind} onPick=${T=>w({kind:T})} options=${Ji} />
      <${Jn} label="Submitted" value=${e.span} onPick=${T=>w({span:T,from:"",to:""})} options=${uf} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${T=>w({from:T.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${T=>w({to:T.target.value})} />`}
    </div>
    <${ka} label="State" value=${e.state} onPick=${T=>w({state:T})}
      options=${[["","All",$],...df.map(T=>[T,T[0].toUpperCase()+T.slice(1),c&&(c.states[T]??0),We[T]])].map(([T,U,te,ie])=>[T,U,te==null?void 0:Object.values(t).
some(Boolean)?Ts(te,c.looking):C(te),ie])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>w({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${pn} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${hf} list=${c} filtered=${Object.values(t).some(Boolean)} params=${v} chosen=${E} choose=${o} />
      <${Ss} l=${c.looking} />
      ${(c.jobs.length>0||e.after)&&a`<div class="foot"><span>${C(c.jobs.length)} of ${F(c.total,"job")}${c.looking&&c.total<=c.jobs.length?" so far":""}${c.more&&
!c.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Re({...v,after:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+Re({...v,after:c.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${xn} />`}</section>
    ${E.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${F(E.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>d(!0)}>Cancel ${F(E.length,"job")} …</button></div>`}
    ${r&&a`<${Ui} ids=${E} onClose=${()=>d(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${mu} id=${e.job} key=${e.job} onClose=${()=>et({job:""})} />`}
  <//>`}function hf({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Ae} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Ae} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Ae} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${ya}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${Gi} jobs=${e.jobs} href=${r=>"#/jobs"+Re({...n,job:r})} chosen=${Je("operator")&&e.jobs.some(r=>!fo(r.state))?s:null} choose=${o} />`}var Bi="Sort the rows\
 on this page",ff=[["Job",e=>e.id,!1,Bi],["State",e=>e.state,!1,Bi],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,Bi]];function Gi({jobs:e,href:t=o=>oe("jobs",o),chosen:n,choose:s}){let o=e.filter(d=>!fo(d.state)).map(d=>d.id),r=d=>s(n.includes(d)?n.filter(
c=>c!==d):[...n,d]);return a`<${nt} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${ff}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${d=>a`<tr key=${d.id} data-href=${t(d.id)}>
      ${n&&a`<td class="tick">${!fo(d.state)&&a`<input type="checkbox" aria-label=${`Select job ${d.id}`} checked=${n.includes(d.id)} onChange=${()=>r(d.id)} />`}</td>`}
      <td><a class="id" href=${t(d.id)}>${d.id}</a><div class="note"><${Dn} kind=${d.kind} target=${d.target} name=${d.targetName} />${d.run>1?` · run ${d.run}`:
""}</div>
        ${d.state==="running"?a`<${Ki} row=${d} />`:a`<${mf} row=${d} />`}</td>
      <td><${sa} is=${d.state} /></td>
      <td class="num" data-name="Rows">${d.read?C(d.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${d.accepted?C(d.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${re} at=${d.submitted} />${gu(d)&&a`<div class="note">took ${gu(d)}</div>`}</div></td>
    </tr>`}<//>`}var gu=e=>e.started&&e.finished&&cn((new Date(e.finished)-new Date(e.started))/1e3);function mf({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${nn(e.error.class)}</span>: <${At} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${jt} text=${e.why} /></div>`;let t=fo(e.
state)&&(Ua(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${As} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&F(e.warnings,"warnin\
g")}</div>`}function $f(e){let t=Ht({read:0,at:Date.parse(e.started),rate:0});return Zt(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function Ki({row:e}){let t=Cs(),n=$f(e);if(e.state!=="running")return a`<div class="note"><${jt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,d=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&
`${Math.floor(100*r)} %, ${C(o)} of ${C(s)} parts`,e.read>0&&`${C(e.read)} rows`,n>=1&&`${C(n)} rows/s`,d!==null&&`about ${cn(Math.max(d,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${jt} text=${e.why} />`:c.join(" · ")||"\
started"}</div>`}var gf=10,vu=(e,t)=>t?100*e/t:0,dr=(e,t)=>`${vu(e,t).toFixed(1)} %`,bf=e=>(e.of??"").split(",").filter(Boolean);function wu({params:e}){let t=je("/api/audiences",
["audiences"]),n=bf(e);return a`<${He} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ut} result=${t}>${({audiences:s})=>a`<${vf} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${X}><${Ae} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${wf} of=${n} key=${n.join()} />`}
  <//>`}function vf({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${X}><${Ae} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>et({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=gf} onClick=${()=>s(o.target)}>${Xt(o)}</button>`)}</div>`}function wf({
of:e}){let t=je("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return a`<${ut} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${fe} level="warn" says=${`${F(s.uncertain,"id")} of ${Xt(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${xf} o=${n} />
    <div class="grid two-one"><div class="stack"><${yf} o=${n} /></div><div class="stack"><${kf} o=${n} /></div></div>`}<//>`}function xf({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${St} name="Together" value=${C(e.union)} note="members of at least one" />
    <${St} name=${e.audiences.length>2?"In all":"In both"} value=${C(e.all)} note=${`${dr(e.all,e.union)} of all`} />
    <${St} name=${`Only in ${Xt(t)}`} value=${C(t.only)} note=${`${dr(t.only,t.members)} of its members`} />
  </div>`}function yf({o:e}){return a`<${X} title="In both" flush side=${a`<span class="faint small">and their share of the row's members</span>`}>
    <div class="scroll"><table class="matrix" aria-label="Members in common"><thead><tr><th></th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Xt(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${oe("audiences",t.target)}>${Xt(t)}</a><div class="note">generation ${C(
t.generation)}, <${re} at=${t.at} />${t.lapsed>0&&`, ${C(t.lapsed)} lapsed`}</div></th>
      <td class="num"><b>${C(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} style=${{"--share":vu(s,t.members).toFixed(1)+"%"}} title=${`${C(
s)} of the ${C(t.members)} members of ${Xt(t)} are in ${Xt(e.audiences[o])}`}>${C(s)}<div class="note">${dr(s,t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function kf({o:e}){return a`<${X} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${C(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Xt(t)} <span class="soft">${C(t.members)}, ${dr(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${C(t.only)} only in ${Xt(t)}, ${C(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${C(t.only)} only here, ${C(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var xu=(...e)=>"#/audiences/overlap"+Re({of:e.join(",")});function yu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=je(t,["audiences","letters"]),[s,o]=O(""),r=n.data,d=r&&a`${r.ledger&&a`<a class="button" href=${xu(
e)}>Overlaps</a>`}${Je("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${He} title=${r?Xt(r):ir(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${Ni} f=${r.feed} />`} acts=${d}>
    <${ut} result=${n}>${c=>a`
      ${c.problems.map($=>a`<${fe} key=${$.says} level=${$.level} says=${a`<${At} text=${$.says} />`} where=${$.where?.startsWith("/letters")?"#"+$.where:void 0} />`)}
      <${Ss} l=${c.looking} />
      <${_f} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${jf} points=${c.sizes} /><${Sf} points=${c.trend} /><${Tf} jobs=${c.jobs} looking=${c.looking} target=${e} /></div>
        <div class="stack"><${Df} f=${c.feed} last=${c.jobs.find($=>$.id===c.feed?.job)} onDone=${n.reload} /><${Rf} l=${c.ledger} /><${Af} w=${c.withheld} /><${pu} m=${c.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${Mf} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${Ef} path=${t} onClose=${()=>o("")} />`}
  <//>`}function _f({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${St} name="Ids" meaning=${We.ids} value=${e.size===null?"–":C(e.size)} note=${e.size===null?e.looking?Vi:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${re} at=${e.sizeAt} />`} />
    <${St} name="Last change" meaning=${We.change} value=${a`<${Li} c=${e.last} />`} note=${e.last?a`<${re} at=${e.last.at} />`:e.looking?Vi:"no job on record h\
as changed it"} />
    <${St} name="Junk and invalid" meaning=${We.quality} value=${t?`${Cf(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${F(t.read,"row")} in the last export`:
e.looking?Vi:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${St} name="Open jobs" meaning=${We.open} value=${C(e.open)} note=${e.letters?F(e.letters,"dead letter"):"no dead letters"} bad=${e.letters>0} />
  </div>`}var Vi="older jobs are being read",Cf=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",ku=e=>Date.parse(e)/1e3;function jf({points:e}){let t=Zt(()=>[e.map(
n=>ku(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${X} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Ae} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ca} data=${t} values=${Un} unit="ids" label=${`Ids over t\
ime, now ${C(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
function Sf({points:e}){let t=Zt(()=>[e.map(n=>ku(n.at)),e.map(n=>100*n.junk/n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${X} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Ae} title="No trend yet">The trend is drawn once two exports were read.<//>`:a`<${Ca} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(
n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function Tf({jobs:e,looking:t,target:n}){return a`<${X} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Re({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Ae} title=${t?"No job found so far":"No jobs on record"} />`:a`<${Gi} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Ts(e.length,t)}</div>`}`}<//>`}var _u={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function cr({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,d]=O(""),
[c]=O(t??[]),[$,w,S]=_u[n],E=async()=>{await Ie(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:c}),Ke(`${w}: feed ${e}`),o()};return a`<${Ge} title=${$} act=${w} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${E} onClose=${s}>
    <p>${S}</p><${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${v=>d(v.
target.value)} data-first /><//>
  <//>`}function Df({f:e,last:t,onDone:n}){let[s,o]=O("");if(!e)return a`<${X} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?["approve","reject"]:e.paused?["resume"]:["look","pause"];return a`<${X} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${Fi(e)}</dd>
      <dt>Looked</dt><dd><${re} at=${e.looked} /></dd>
      <dt>Expected</dt><dd>${e.late?a`by ${yi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${yi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${re} at=${e.last} />${e.rows>0&&`, ${F(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${t&&Ua(t)&&a`<dt>Changed</dt><dd><a href=${oe("jobs",t.id)}><${As} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${jt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Je("operator")&&a`<div class="acts-line">${r.map(d=>a`<button class="small ${d==="pause"||d==="reject"?"danger":""}" onClick=${()=>o(d)}>${_u[d][1]} …</button>`)}</div>`}
    ${s&&a`<${cr} feed=${e.name} versions=${e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function Rf({l:e}){return a`<${X} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${re} at=${e.at} /></dd><dt>Ids</dt><dd>${C(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${oe("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function Af({w:e}){return e?a`<${X} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${oe("audiences",t.target)}>${Xt(t)}</a>: ${F(t.count,"id")}<div class="note">as of its generation ${C(t.
generation)}, <${re} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${F(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function Mf({path:e,source:t,onClose:n}){let[s,o]=O(t.includes("?…")?"":t),r=async()=>{let{id:d}=await Ie(e+"/compare",{url:s.trim()});Ke("C\
omparing: nothing is sent"),location.hash=oe("jobs",d)};return a`<${Ge} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Oe} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${d=>o(
d.target.value)} data-first /><//>
  <//>`}function Ef({path:e,onClose:t}){let[n,s]=O(null),o=async()=>{throw s(await Ie(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ge} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${fe} level=${r?"bad":"good"} says=${r?`${C(r)} of ${C(n.asked)} answers differ`:`All ${C(n.asked)} answers agree`}
      hint=${r?`${C(n.missing)} ids are missing on the platform, ${C(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${F(n.count,"id")}.`} />`}
  <//>`}var Pf=["source.column","source.delimiter","source.encoding","maxRejectPercent"],Yi=["force","acceptChange","dryRun"];function Ps(e,t=""){return Object.entries(
e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Ps(s,t+n+"."):[[t+n,s]])}var ra=e=>e===void 0?"not set":e===!0?"yes":e===!1?"no":Array.isArray(
e)?e.map(ra).join(", "):typeof e=="object"&&e?Ps(e).map(([t,n])=>`${t} ${ra(n)}`).join(", "):String(e),Cu=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],e);function If(e,t){
let n=/(?:--set |--)?(source\.\w+)/.exec(e.hint??"")?.[1];return n||(e.class==="not_found"?t.find(s=>s==="segment"||s==="campaign")??"":Ln[e.class]?.field?Ln[e.
class].field:t.find(s=>e.class==="invalid_job"&&e.message?.includes("/"+s.replaceAll(".","/")))??"")}function mo({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[
o,r]=O(null),[d,c]=O(""),[$,w]=O(""),[S,E]=O(""),[v,T]=O(!1),[U,te]=O(""),[ie,we]=O(null),[le,Ve]=O(""),[an,pt]=O(!1),de=d&&$.trim()?{[d]:$.trim()}:{};Te(()=>{let ne=!1;
return Ie("/api/letters/plan",{filter:t}).then(wt=>{if(ne)return;r(wt);let xt=If(e,ju(wt,e));c(xt),w(xt&&xt===Ln[e.class]?.field?Ln[e.class].value??"":"")},wt=>ne||
Ve(wt.message)),()=>{ne=!0}},[]),Te(()=>{d&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),Te(()=>{if(!o)return;if(!Object.keys(de).length&&
!v){we(d?null:o);return}if(we(null),d&&!Object.keys(de).length)return;let ne=!1,wt=setTimeout(()=>Ie("/api/letters/plan",{filter:{...t,through:o.through},set:de,
force:v}).then(xt=>ne||(we(xt),Ve("")),xt=>ne||Ve(xt.message)),250);return()=>{ne=!0,clearTimeout(wt)}},[o,d,$,v]);let $e=async()=>{await Ie("/api/letters/repla\
y",{filter:{...t,through:o.through},set:de,force:v,rate:Number(U)||0,reason:S.trim()||zf(e,de)}),Ke(`${F(ie.count,"job")} will be ${d?"changed and ":""}replayed\
: the progress is on this page`),s()},Qt=o?ju(o,e):[],vt=d?"Fix and replay":"Replay",Bt=o&&(o.newer||v);return a`<${Ge} title="Fix and replay" wide act=${ie?`${vt}\
 ${F(ie.count,"job")}`:vt} ready=${ie?.count>0&&(!d||ie.changed>0)} onAct=${$e} onClose=${n}>
    <${fe} level="bad" says=${e.class?a`${nn(e.class)}: <${At} text=${e.message} />`:e.message} hint=${e.hint} of=${e.class} />
    ${le&&a`<${pn} says=${le} />`}
    ${!o&&!le&&a`<${xn} />`}
    ${o&&a`
      <div class="pair"><${Oe} name="What to change"><select value=${d} onChange=${ne=>{c(ne.target.value),w("")}}>
          <option value="" selected=${d===""}>Nothing: it is repaired elsewhere</option>
          ${Qt.map(ne=>a`<option value=${ne} selected=${ne===d}>${Ha(ne)}</option>`)}</select><//>
        ${d&&a`<${Oe} name="New value">${Yi.includes(d)?a`<select value=${$} onChange=${ne=>w(ne.target.value)} data-first key=${d}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([ne,wt])=>a`<option value=${ne} selected=${ne===$}>${wt}</option>`)}</select>`:a`<input type="text" value=${$} onInput=${ne=>w(ne.target.
value)} data-first autofocus key=${d} />`}<//>`}</div>
      <${Lf} plan=${ie??o} field=${d} value=${$.trim()} />
      ${ie?a`<${Ff} plan=${ie} field=${d} rate=${Number(U)} />`:d&&$.trim()&&!le?a`<${xn} />`:null}
      ${Bt&&a`<label class="check"><input type="checkbox" checked=${v} onChange=${ne=>T(ne.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!v&&a`<div><button type="button" class="danger small" onClick=${()=>pt(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}. May be left empty.`}><input type="text" maxlength="1000" value=${S} onInput=${ne=>E(
ne.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Oe} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${U} onInput=${ne=>te(
ne.target.value)} /><//></details>
  <//>
  ${an&&a`<${Of} filter=${{...t,through:o.through}} onClose=${()=>pt(!1)} onDone=${()=>{n(),s()}} />`}`}function Of({filter:e,onClose:t,onDone:n}){let[s,o]=O("s\
uperseded by a newer job"),r=async()=>{let{discarded:d}=await Ie("/api/letters/discard",{filter:e,superseded:!0,reason:s});Ke(`${F(d,"letter")} let go`),n()};return a`<${Ge} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${s.
trim()} onAct=${r} onClose=${t}>
    <p>Their letters are discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${s} onInput=${d=>o(d.target.
value)} data-first /><//>
  <//>`}function ju(e,t){let n=e.sample[0]?.before,s=Ps(n).map(([r])=>r).filter(r=>!["id","v","source.ids"].includes(r)),o=Ln[t.class]?.field;return[...new Set(
[...s,...n?.source?Pf:[],...o?[o]:[]])]}var zf=(e,t)=>{let[[n,s]=[]]=Object.entries(t);return`${n?`${Ha(n)} set to ${Yi.includes(n)?ra(s==="true"):s}`:"repaired\
 elsewhere"}: ${e.message}`.slice(0,300)};function Lf({plan:e,field:t,value:n}){return e.sample.length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?
a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${ra(Cu(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?ra(Cu(s.after,
t)):Yi.includes(t)?ra(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Ps(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${Ha(o)} ${ra(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function Ff({plan:e,field:t,rate:n}){let s=Math.
max(e.seconds,n>0?e.count/n:0);return a`<p><b>${F(e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this tak\
es at least ${cn(s)}`:""}. Uploads continue where they stopped${t?", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${fe} level="warn" says=${`${F(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${jt} text=${e.says} />`} />`}
    ${e.skipped>0&&a`<${fe} level="warn" says=${`${F(e.skipped,"letter")} skipped`}>${e.reasons.slice(0,4).map(o=>a`<div class="small break"><b>${C(o.count)}</b>: <${jt} text=${o.
why} />${o.count===1&&e.skipped<=e.left.length&&a` (${e.left.find(r=>r.why===o.why)?.id??"no id"})`}</div>`)}
      ${e.reasons.length>4&&a`<div class="small">and ${F(e.reasons.length-4,"other reason")}</div>`}<//>`}`}var Nf=15*6e4,Su=new Set;function ur(){let e=je("/api/replays",["replays"]),[,t]=O(0),n=ct();return(e.data?.replays??[]).filter(o=>!Su.has(o.id)&&(!o.finished||
n-new Date(o.finished)<Nf)).map(o=>a`<${qf} key=${o.id} r=${o} onHide=${()=>{Su.add(o.id),t(r=>r+1)}} />`)}function Wf(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function qf({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Wf(e)}</b>
      <span class="soft">by ${e.by}, <${re} at=${e.started} />${e.rate?`, ${dn(e.rate)} a second`:""}</span>
      ${!e.finished&&Je("operator")&&a`<button class="small danger" onClick=${()=>Ie(`/api/replays/${e.id}/stop`).catch(r=>Ke(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${F(n.changed,"job")} changed, `}${C(n.replayed)} of ${C(n.planned)} replayed${n.skipped?`, ${C(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Hf} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${fe} level="bad" says=${e.error} />`}
  </div></section>`}function Hf({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${C(e.done)} done</span>${t>
0&&a`, <span class="soft">${C(t)} not ended yet</span>`}${e.cancelled>0&&`, ${C(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Re({replay:e.name})}>${C(e.failedAgain)} failed again</a>`}</div>`}var Uf={done:"good",held:"warn",approved:"good",rejected:""},pr=({is:e})=>a`<span class="badge ${Uf[e]??""}">${e}</span>`,Bf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},Is=({is:e})=>a`<span class="badge ${Bf[e]??""}">${e}</span>`,Os=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function zs(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Ls=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function Sa({d:e}){if(e.parts){let n=e.bidding?[`${wn[e.bidding.field]}`,`${wn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${F(e.parts.
length,...n)} of ${F(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${Sa} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${oe(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${oe("rules","why",e.campaign)}>${wn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${Os(e.bidding)}</div>`}${t}`:a`<a class="id" href=${oe("rules","why",e.creative)}>${e.creative}</a>${t}`}var Jf=[
"pause","resume","decrease","increase","held","notify","unknown","none"],Tu={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},$o=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),go=e=>e.warnings?.some(t=>t.code===
"stopped");function Fs(e){let{counts:t,state:n,leftOut:s}=e,o=s?.length??0,r=_s(e)-o,d=n!=="done"&&(r!==t?.held||$o(e)>0)?` (${C(r)} ${n==="held"?`${r===1?"wait\
s":"wait"} for approval`:n}${o?`, ${C(o)} dropped`:""})`:"",c=Jf.filter($=>t?.[$]).map($=>Tu[$]?F(t[$],...Tu[$]):`${C(t[$])} ${$}${$==="held"?d:""}`);return go(
e)&&c.push("held back by the stop switch"),c.length?c.join(", "):"no decisions"}function Ja({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.
map(([n,s])=>a`<span class="tag">${n} ${dn(s)}</span> `)}</div>`:null}function Ns({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.
by} <${re} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:null}var Zi=100;function hr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${X} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,Zi).map(([r,d])=>a`<b class="small" title=${r}>${r}</b>${d.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,d)=>a`<span class="small faint">${d%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,d])=>a`<span class="cell ${r}"></span> ${d} `)}${n.length>Zi&&`· ${C(n.length-Zi)} more lines are not shown`}</div><//>`}
function fr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var Du=e=>new Date(ct()-e*864e5).toISOString().slice(0,10);function Au({params:e}){let t=je("/api/rules"),n=[...new Set((t.data?.rules??[]).map(v=>v.file))],s=e.
file??n[0]??"",[o,r]=O(e.from??Du(31)),[d,c]=O(e.to??Du(1)),[$,w]=O({}),S=async v=>{w({busy:!0});try{w({outcome:await ta("/api/rules/backtest"+Re(v))})}catch(T){
w({error:T.message})}};Te(()=>{e.file&&e.from&&e.to&&S(e)},[e.file,e.from,e.to]);let E=v=>{v.preventDefault();let T={file:s,from:o,to:d};e.file===s&&e.from===o&&
e.to===d?S(T):et(T)};return a`<${He} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${E}>
      <${Jn} label="Rule file" value=${s} onPick=${v=>et({file:v,from:"",to:""})} options=${n.map(v=>[v,v])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${v=>r(v.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${d} onInput=${v=>c(v.target.value)} />
      <button class="primary" disabled=${$.busy||!s}>${$.busy?"Reading reports …":"Run"}</button>
    </form>
    ${$.error&&a`<${pn} says=${$.error} />`}
    ${$.busy&&a`<div class="card"><${xn} /></div>`}
    ${$.outcome&&a`<${Gf} o=${$.outcome} />`}
    ${!$.outcome&&!$.busy&&!$.error&&a`<div class="card"><${Ae} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Gf({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${fe} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${St} name="Saved" meaning=${We.saved} value=${dn(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${dn(t.spend)} spent`} />
      <${St} name="Pauses" meaning=${We.pauses} value=${C(t.pauses)} note=${F(t.resumes,"resume")} />
      <${St} name="Held" meaning=${We.held} value=${C(t.held)} note=${t.unknown>0?`and ${C(t.unknown)} unknown`:"by limits and guards"} />
      <${St} name="Missed clicks" meaning=${We.missed} value=${Un(t.missed.clicks)} note=${`${Un(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Vf} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Kf} days=${t.byDay} key=${t.from+t.to} />`}
    <${Ru} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${Ru} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${X} title="By rule" flush><${nt} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${dn(
n.saved)}</td><td class="num" data-name="Pauses">${C(n.pauses)}</td><td class="num" data-name="Resumes">${C(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${C(
n.decreases)}</td><td class="num" data-name="Increases">${C(n.increases)}</td>`}<td class="num" data-name="Held">${C(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${X} title="What would have changed" flush>${e.decisions.length===0?a`<${Ae} title="No rule would have changed anything">${t.unknown>0&&`${F(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${nt} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Sa} d=${n} /></td>
          <td><${Is} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${C(e.decisions.length)}</div>`}`}<//>`}function Kf({days:e}){let t=Zt(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${X} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ca} data=${t} values=${Un} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Vf({all:e}){return a`<${X} title="Budgets and bids" flush><${nt} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${wn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Os(t.change):`stays ${Os({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${C(t.decreases)}</td><td class="num" data-name="Increases">${C(t.increases)}</td><td class="num" data-name="Held">${C(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function Ru({title:e,days:t,decisions:n}){let s=[...fr(n,
r=>r.bidding?`${r.campaign} ${wn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(d=>d.action===r));return a`<${hr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,d])=>[r,Yf(t,d)])} />`}function Yf(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var Xi=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${zt(e.until)}</time>`:"released"}`;function Qi({s:e}){return e?a`<div class="note warn-ink"><${Xi} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${re} at=${e.at} />)</span></div>`:null}var Ga="date",Mu=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mo\
nday","until Monday"],["released","until somebody hands it back"],[Ga,"until a date …"]];function el({until:e,onUntil:t,required:n}){let s=Mu.some(([r])=>r===
e),o=e===""||s?e:Ga;return a`<${Oe} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${Mu.map(([r,d])=>a`<option value=${r} selected=${o===r}>leave it alone ${d}</option>`)}
      </select><//>
    ${o===Ga&&a`<${Oe} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||Ga)} /><//>`}`}function mr({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,d]=O("");return Je("operator")?a`<button class="small" onClick=${()=>d(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${Zf} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>d("")} onDone=${o} />`}`:null}function Zf({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[d,c]=O(""),[$,w]=O("tomorrow"),S=n==="keep",E=s==="it"?e:`the ${s} of ${e}`,v=async()=>{await Ie(`/api/rules/${n}`,S?{code:e,campaign:t,until:$,reason:d}:{code:e,
reason:d}),Ke(S?`Rules leave ${E} alone`:`Rules may change ${E} again`),r()};return a`<${Ge} title=${S?`Keep rules from ${E}?`:`Hand ${E} back to rules?`} act=${S?
"Keep":"Hand back"} ready=${d.trim()&&(!S||$!==Ga)} onAct=${v} onClose=${o}>
    <p>${S?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${S&&a`<${el} until=${$} onUntil=${w} required />`}
    <${Oe} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${d} onInput=${T=>c(
T.target.value)} data-first /><//>
  <//>`}var Xf=e=>{let t=e.jobs?.length>0?$o(e):0,n=_s(e);return t?`${F(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${C(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},Qf=({run:e})=>["approved","rejected"].includes(e.state)?a`<${fe} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${re} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${fe} says=${e.why} />`,
em={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function tm({id:e,job:t}){let[n,s,o]=em[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${fe} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${oe(
"jobs",e)}>Its job</a></div><//>`}function Iu({id:e}){let t=je("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=O(""),o=t.data?.run,r=o?.state===
"held",d=o&&Je("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${He} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&a`<${pr} is=${o.
state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Fs(o)}`} acts=${d}>
    <${ut} result=${t}>${c=>c.run===null?a`<${tm} id=${e} job=${c.job} />`:a`
      ${c.undone.map($=>a`<${fe} key=${$.id} says=${a`Undone by ${$.by||"somebody"}, <${re} at=${$.at} />`}><div class="acts-line"><a class="button small" href=${oe(
"rules","runs",$.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${fe} level="warn" says=${Xf(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${fe} level="warn" says=${go(c.run)?"The stop switch held back changes of this run":`${F(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map($=>a`<li class="break">${$.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${Qf} run=${c.run} />`}
      <div class="grid two-one">
        <${nm} run=${c.run} all=${c.decisions} more=${c.more} />
        <${X} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${zt(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${re} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map($=>a`<div class="break"><a href=${oe("jobs",$)}>${$}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${bo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var Ou=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Ws(t))),Eu=(e,t)=>ho(t)&&!t.left&&!Ou(e,t);function nm({run:e,
all:t,more:n}){return a`<${X} title="Decisions" flush>${t.length===0?a`<${Ae} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${nt} rows=${zs(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Sa} d=${s} /></td>
        <td><${Is} is=${Eu(e,s)?s.wants:s.action} />${Eu(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">would ${s.wants}${s.left?", left \
out of the approval":s.guard&&s.guard!=="approval"?`, held by ${s.guard}`:""}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${zu} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${C(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function zu({d:e}){return a`<div class="break">${Ls(
e)}</div><${Ja} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${F(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:dn(Number(t.result))}</div>`)}</details>`}`}var am={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Ws=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,Pu=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Sa} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${wn[e.bidding.field]} ${Os(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,sm=({s:e})=>a`<p><b>Spend at stake: ${Object.entries(e.gross).map(([t,n])=>`${io(n)} ${t}`).join(", ")||"nothing"}</b> <span class="soft">spent on what would change, from ${e.
from} to ${e.to}</span></p>`,om=({d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Ws(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${rm} s=${n} />`);
function rm({s:e}){return!e||e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and\
 is left out"}: ${e.why}</div>`}function im({id:e,left:t,setLeft:n}){let s=je(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=je("/api/rules/runs/"+encodeURIComponent(
e)),r=c=>(c.parts??[c]).every($=>t.includes(Ws($))),d=c=>{let $=(c.parts??[c]).map(Ws);n(r(c)?t.filter(w=>!$.includes(w)):[...t,...$])};return a`<${ut} result=${o}>${({
run:c,decisions:$})=>{let w=$.filter(E=>ho(E)&&!E.left&&Ou(c,E)),S=$.filter(E=>E.action==="held"&&!ho(E));return a`${s.data?.wrong?a`<${fe} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${sm} s=${s.data.stake} />`:s.error?a`<${fe} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${re} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${w.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${zs(w).map(E=>a`<tr key=${E.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${E.wants} of ${E.parts?`all ${E.parts.length} together`:Ws(
E)}`} checked=${!r(E)} onChange=${()=>d(E)} /></td><td class="break"><${Pu} d=${E} /></td>
        <td class="break">${E.rule}<div class="note">${Ls(E)}</div><${om} d=${E} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${S.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${zs(S).map(E=>a`<tr key=${E.key}><td class="break"><${Pu} d=${E} /></td><td class="break">${E.rule}<div class="note">${Ls(E)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function lm(e,t){let{decisions:n,more:s}=await ta("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(ho).map(Ws).filter(o=>!t.includes(o))}function bo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=O(""),[d,c]=O([]),[$,w,S]=am[t],E=async()=>{let{undo:v,left:T,warnings:U,state:te}=await Ie(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,d.length?{reason:o,
only:await lm(e,d)}:{reason:o});if(U?.length)Ke(`Run ${e} is ${te==="held"?"approved in part":"approved"}. Not carried out: ${F(U.length,"change")}; ${U[0].description}`);else if(t!==
"undo")Ke(`Run ${e} is ${w.toLowerCase()}${w.endsWith("e")?"d":"ed"}`);else if(v)Ke(`Undoing run ${e}${T.length?`; ${T.length} not changed: ${T[0]}`:""}`);else throw new Error(
`There is nothing to undo${T.length?": "+T[0]:""}`);s()};return a`<${Ge} title=${$} act=${w} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${E} onClose=${n}>
    <p>${S}</p>
    ${t==="approve"&&a`<${im} id=${e} left=${d} setLeft=${c} />${d.length>0&&a`<p class="warn-ink">${F(d.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Oe} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${v=>r(v.target.value)} data-first /><//>
  <//>`}var dm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function Lu({
creative:e}){let t=je("/api/rules/why/"+encodeURIComponent(e),["audit","rules"]);return a`<${He} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${t.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${t.data&&a`<${mr} code=${e} campaign=${t.data.campaigns?.[0]} kept=${t.data.kept} onDone=${t.reload} />`}>
    <${ut} result=${t}>${n=>a`
      ${n.owner&&a`<${fe} level="warn" says=${`Paused by the rule ${n.owner.file}/${n.owner.rule}`} hint=${dm(n.resumes)} />`}
      ${n.kept&&a`<${fe} level="warn" says=${a`Rules leave it alone: <${Xi} s=${n.kept} />`} hint=${n.kept.reason}><${ya}>usher rules release ${n.creative}<//><//>`}
      <${X} title="Rules that may change it">${n.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${n.rules.map(s=>a`<li><a href=${"#/rules"+Re(
{text:s.name})} class="break">${s.name}</a> <span class="tag">${ks(s.mode)}</span><${Ns} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>
      <${X} title="History">${n.pages.length===0?a`<${Ae} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...n.pages].reverse().map(s=>a`<${cm} p=${s} />`)}</ul>`}<//>`}<//>
  <//>`}function cm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?wn[n.bidding.
field]+" ":""}${Ut(n.before)} → ${Ut(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Ut(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Ja} metrics=${n.metrics} />
      <div class="small faint"><${re} at=${e.at} />${n.job&&a` · job <a href=${oe("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
bidding?wn[t.bidding.field]+": ":""}${t.action==="none"?"not changed":t.action}${t.wants?`, wanted ${t.wants}`:""}</b> <span class="soft">by ${t.rule?`${e.file}\
/${t.rule}`:e.by}</span>
    <${zu} d=${t} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${re} at=${e.at} /> · run <a href=${oe("rules","runs",
e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state} by ${e.by}`:""}</div></li>`}function Fu({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${Iu} id=${s} key=${s} />`:n==="why"&&s?a`<${Lu} creative=${s} key=${s} />`:n==="backtest"?a`<${Au} params=${t} />`:
a`<${um} params=${t} />`}function um({params:e}){let t=je("/api/rules",["rules","overview"]),[n,s]=O(""),o=t.data?.stopped,r=t.data&&a`${t.data.rules.length>0&&
a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Je("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Je("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${He} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ut} result=${t}>${d=>a`
      <${pm} stopped=${d.stopped} />
      <${hm} runs=${d.runs.filter(c=>c.state==="held")} rules=${d.held} />
      <${fm} week=${d.week} rules=${d.rules} runs=${d.runs} />
      <${mm} files=${[...new Set(d.rules.map(c=>c.file))]} />
      <${bm} rules=${d.rules} text=${e.text} />
      <${km} runs=${d.runs} />`}<//>
    ${n&&a`<${tl} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function pm({stopped:e}){return e==null?a`<${fe} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${fe} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function hm({runs:e,
rules:t}){let n=r=>{let d=t[r.id];return d?`${d.rules.length>1?"Rules":"Rule"} ${d.rules.join(", ")} of the file ${r.file}, for ${d.campaigns.slice(0,3).join(",\
 ")}${d.campaigns.length>3?` and ${C(d.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=O("");return a`${e.map(r=>a`<${fe} key=${r.id} level="warn" says=${a`${n(
r)}: ${Fs(r)}${_s(r)===(r.counts?.held??0)&&$o(r)===0?", waiting for approval":","} <${js} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Je("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${oe("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${bo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function fm({week:e,rules:t,runs:n}){if(t.length===0)return null;let s=$=>e.
reduce((w,S)=>w+S[$],0),o=ct()-7*864e5,r=n.filter($=>go($)&&Date.parse($.at)>o).length,d=zn(o),c=zn(ct()-864e5);return a`<${X} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Ae} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${nt} name="week" rows=${e} columns=${[
["Rule",$=>$.rule],["Paused",$=>$.pauses,!0],["Resumed",$=>$.resumes,!0],["Budgets, bids",$=>$.numbers,!0],["Waits",$=>$.held,!0],["Cannot decide on",$=>$.blind,
!0]]}>${$=>a`<tr key=${$.rule}>
        <td class="strong break"><a href=${"#/rules"+Re({text:$.rule})}>${$.rule}</a></td>
        <td class="num" data-name="Paused">${C($.pauses)}</td><td class="num" data-name="Resumed">${C($.resumes)}</td><td class="num" data-name="Budgets, bids">${C(
$.numbers)}</td>
        <td class="num" data-name="Waits">${$.held?a`<b class="warn-ink">${F($.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${$.blind?
a`<b class="warn-ink">${C($.blind)}</b>`:"0"}</td></tr>`}<//>`}
    <div class="foot">${F(s("pauses"),"pause")}, ${F(s("resumes"),"resume")}, ${F(s("numbers"),"change")} of budgets and bids.${r>0&&` The stop switch held back\
 ${F(r,"run")}.`} What the rules save: ${[...new Set(t.map($=>$.file))].map($=>a`<a href=${"#/rules/backtest"+Re({file:$,from:d,to:c})}>backtest of ${$}</a> `)}</div><//>`}
function mm({files:e}){let[t,n]=O("");return e.length===0?null:a`<${X} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${$m} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function $m({file:e}){let t=je("/api/rules/preview"+Re({file:e}));return a`<${ut} result=${t}>${n=>a`<p>${Fs({counts:n.counts,state:"done"})}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${nt} name="preview" rows=${zs(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Sa} d=${s} /></td><td><${Is} is=${s.action} />${s.wants&&a`<div class="note">wants ${s.wants}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Ls(s)}</div></td></tr>`}<//>`}`}<//>`}var gm=e=>e.extras.filter(t=>["for","min_age","notify"].includes(t.key));function bm({rules:e,text:t=""}){
if(e.length===0)return a`<${X} title="Rules"><${Ae} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${ya}>usher rules backtest FILE<//><//><//>`;
let[n,s]=O(null),[o,r]=O(null),d=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map($=>`${$.key} ${$.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${X} title="Rules" flush side=${e.length>8&&a`<div><${Rn} label="Search rules …" value=${t} onText=${c=>et({text:c})} /></div>`}>
    <${nt} rows=${d} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${ks(c.mode)}</span><${Ns} p=${c.paused} /><div class="note">${c.scope}${c.window&&` · ${c.window}`}</div>${gm(
c).map($=>a`<div class="note">${$.key} ${$.value}</div>`)}
          ${Je("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${ym} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${re} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${re} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.
schedule}</div>`}</div></td></tr>`}<//>${n&&a`<${xm} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${wm} rule=${o} onClose=${()=>r(null)} />`}${d.length===0&&a`<${Ae} title="No rule matches" />`}<//>`}
var vm={act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"\
It reports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function wm({rule:e,onClose:t}){let n=async()=>{let{
id:s}=await Ie("/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=oe("rules","runs",s)};return a`<${Ge} title=${`Run rule ${e.name}\
 now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${vm[e.mode]}</p>
  <//>`}function xm({rule:e,onClose:t}){let[n,s]=O(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ke(`Rule ${e.name} is ${o}d`)};return a`<${Ge} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Oe} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(
d.target.value)} data-first /><//>
  <//>`}function ym({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function km({runs:e}){return a`<${X} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Ae} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${nt} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${oe("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${pr} is=${t.state} /></td>
        <td class="whole">${Fs(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${re} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${F(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function tl({way:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e==="stop",
d=async()=>{await Ie(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ke(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ge} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${d} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Oe} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function Wu({params:e}){let t=e.span==="day"?"day":"",n=je("/api/overview"+Re({span:t}),["overview"]);return a`<${He} title="Overview" sub="What is running, what is waiting, and what needs attention.">
    <${ut} result=${n}>${s=>a`${!s.counted&&a`<${fe} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${_m} needs=${s.
needs} lanes=${s.lanes} /><${ur} />
      <${Dm} o=${s} />
      <div class="grid two-one">
        <div class="stack">
          <${Mm} t=${s.throughput} span=${t} />
          <${Im} rows=${s.changes} />
          <${Pm} rows=${s.running} />
          <${Em} hours=${s.hours} />
        </div>
        <div class="stack"><${Om} p=${s.platform} /><${Lm} lanes=${s.lanes} /></div>
      </div>`}<//>
  <//>`}function _m({needs:e,lanes:t}){let[n,s]=O(null),o=()=>s(null),r=Qo().state?.services.some(d=>d.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(d=>a`<${Sm} key=${d.subject||d.says+d.about} n=${d} onAct=${()=>s(d)} />`)}</div>
    ${n&&a`<${Cm} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${fe} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var Nu={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function Cm({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${mo} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${cr} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${cr} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${bo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${qu} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${tl} way="start" onClose=${n} onDone=${()=>{}} />`}var jm=e=>{let t=e.class||e.act==="Resume lane"||e.says.startsWith(
"Lane")?"job":e.act==="Approve"?"change":e.act==="Approve export"?"export":"";return t&&(e.count===1?t:t+"s")};function Sm({n:e,onAct:t}){let n=Nu[e.act]&&Je(Nu[e.
act]);return a`<div class="incident ${e.level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${nn(e.class)}</span>${vn(e.target)&&`: ${vn(e.target,e.targetName)}`}`:a`<${jt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${Dn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${At} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${jt} text=${e.
about} /></div>`}
      <${oa} text=${e.hint} of=${e.class} /></div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${C(e.count)}</b> ${jm(e)}</span>`}${e.since&&a`<${js} at=${e.since} />`}${e.recent&&a`<${Tm} counts=${e.
recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function Tm({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${F(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${C(n)} in 1 h</span></span>`}
function Dm({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${St} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Un(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":ys(e.throughput.bytes)+"/s sent"} />
    <${St} name="Running" meaning=${We.running} value=${C(t("running"))} note=${t("retrying")?F(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${St} name="Queued" meaning=${We.queued} value=${C(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${St} name="Done in 24 h" meaning=${We.done} value=${C(n.done)} note="jobs" href="#/jobs?state=done" />
    <${St} name="Dead letters" meaning=${We.letters} value=${C(e.letters)} note=${n.failed?`${C(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function Rm(){let e=je("/api/marks");return Te(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var Am=[["","15 min"],["day","24 h"]];function Mm({t:e,span:t}){let n=Rm(),s=Zt(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${X} title="Throughput" side=${a`<${ka} label="Time" value=${t} onPick=${o=>et({span:o})} options=${Am} />`}>
    <${Ca} data=${s} values=${Un} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":C(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Em({hours:e}){let t=Zt(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${X} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ca} height=${140} data=${t} values=${Un} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:zi(),filled:"--c-accepted"}],["failed","--c-refused",{paths:zi(),filled:"--c-refused"}]]} /><//>`}function Pm({
rows:e}){return a`<${X} title="Running now" flush side=${a`<a class="small" href="#/jobs">All jobs</a>`}>
    ${e.length===0?a`<${Ae} title="Nothing is running">Running jobs are listed here with their progress.<//>`:a`<${nt} name="running" rows=${e} columns=${[["Job",
t=>t.id],["State",t=>t.state],["Rows",t=>t.read,!0],["Progress"]]}>${t=>a`<tr key=${t.id}><td><a class="id" href=${oe("jobs",t.id)}>${t.id}</a><div class="note"><${Dn} kind=${t.
kind} target=${t.target} name=${t.targetName} /></div></td>
        <td><${sa} is=${t.state} /></td><td class="num" data-name="Rows">${C(t.read)}</td><td class="whole"><${Ki} row=${t} /></td></tr>`}<//>`}<//>`}function Im({
rows:e}){return e.length===0?null:a`<${X} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    <${nt} name="changes" rows=${e} columns=${[["Audience",t=>vn(t.target,t.targetName)],["Change"],["When",t=>Date.parse(t.finished),!0]]}>${t=>a`<tr key=${t.id}><td>${t.
target.startsWith("segment ")?a`<a class="id" href=${oe("audiences",t.target)}>${vn(t.target,t.targetName)}</a>`:vn(t.target)}</td>
        <td class="whole"><a href=${oe("jobs",t.id)}><${As} r=${t} /></a></td><td class="num" data-name="When"><${re} at=${t.finished} /></td></tr>`}<//><//>`}function Om({
p:e}){let[t,n]=O(!1),s=Object.entries(e.answers??{}).sort();return a`<${X} title="Platform" side=${a`<span class="badge ${e.up?"good":"bad"}">${e.up?"up":e.refused?
"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${dn(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Je("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${re} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${C(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${C(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${zm} p=${e} onClose=${()=>n(!1)} />`}<//>`}function zm({p:e,onClose:t}){let[n,s]=O(""),[o,r]=O(""),d=async()=>{await Ie("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ke(Number(n)?`The limit is ${dn(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ge} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${d} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${dn(e.configured)}.</p>
    <${Oe} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function Lm({lanes:e}){let[t,n]=O(null);return a`<${X} title="Lanes" flush>
    <${nt} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:F(s.slots,"slot")+" here"}</div>
          ${Je("admin")&&a`<button class="bare small lane" aria-label=${`${s.paused?"Resume":"Pause"} lane ${s.name}`} onClick=${()=>n(s)}>${s.paused?"Resume":"\
Pause"}</button>`}</td>
        <td class="num">${C(s.waiting)}</td><td class="num">${C(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${zt(s.oldest)}>${lo(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${qu} lane=${t} onClose=${()=>n(null)} />`}<//>`}function qu({lane:e,onClose:t}){let[n,s]=O(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/lanes/${e.
name}/${o}`,{reason:n}),Ke(`Lane ${e.name} is ${o}d`)};return a`<${Ge} title=${`${e.paused?"Resume":"Pause"} lane ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(d.target.value)} data-first /><//>
  <//>`}var Hu=e=>JSON.stringify(e,null,2),qs=e=>F(e,"letter");function Uu({letter:e,onClose:t,onEdit:n}){return a`<${Ge} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${fe} level="bad" says=${a`<span title=${e.class}>${nn(e.class)}</span>: <${At} text=${e.message} />`} hint=${e.hint} of=${e.class} />
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${oe("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${Dn} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${zt(e.at)}</dd>
      <dt>Attempts</dt><dd>${F(e.attempts,"attempt")}${e.crashes?`, ${F(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(s=>Ha(s.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Ps(e.job).filter(([s])=>!["id","v"].includes(s)).slice(0,12).map(([s,o])=>a`<dt>${Ha(s)}</dt><dd class="break">${ra(o)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Hu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Je("operator")&&e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`}
  <//>`}function Bu({filter:e,count:t,onClose:n,onDone:s}){let[o,r]=O(""),d=async()=>{let{discarded:c}=await Ie("/api/letters/discard",{filter:e,reason:o});Ke(`${qs(
c)} discarded`),s()};return a`<${Ge} title=${`Discard ${qs(t)} for good?`} act=${`Discard ${qs(t)}`} danger ready=${o.trim()} onAct=${d} onClose=${n}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} data-first /><//>
  <//>`}function Ju({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=O(t?Hu(t.job):""),[d,c]=O(""),[$,w]=O(""),[S,E]=O(""),[v,T]=O(null),U=()=>{if(!t)return{set:{
[d.trim()]:$}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},te=async()=>{let we={
...U(),reason:S};if(!v)throw T(await Ie("/api/letters/edit",{filter:e,edit:{...we,dryRun:!0}})),new Error("");let le=await Ie("/api/letters/edit",{filter:e,edit:we});
if(le.edited===0)throw new Error(le.says||"The edit changes nothing.");Ke(`${qs(le.edited)} edited${le.refused?`, ${C(le.refused)} could not be edited`:""}`),s(
le.now??[])},ie=we=>le=>{we(le.target.value),T(null)};return a`<${Ge} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${v?`Edit ${qs(v.edited)}`:"Preview"} ready=${v?v.edited>0&&S.trim():t||d.trim()} onAct=${te} onClose=${n}>
    ${t?a`<${Oe} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ie(
r)} data-first></textarea><//>`:a`<${Oe} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${d} onInput=${ie(
c)} data-first /><//>
        <${Oe} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${$} onInput=${ie(w)} /><//>`}
    ${v&&a`<${fe} level=${v.refused?"warn":"good"} says=${`${qs(v.edited)} to be edited${v.same?`, ${C(v.same)} unchanged`:""}${v.refused?`, ${C(v.refused)} ref\
used`:""}`} hint=${v.says} />
      ${v.example&&a`<div class="small soft">Changed fields: ${v.example.fields.map(we=>a`<span class="tag mono">${we}</span> `)}</div>`}`}
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${S} onInput=${we=>E(we.target.value)} /><//>
  <//>`}var nl=50,Fm=20,al="Sort the rows on this page",Nm=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),Gu=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Hs=e=>et({after:"",page:"",...e});function Ku({params:e}){let t=Nm(e),n={...t,group:""},s=je("/api/letters/groups"+Re(n),["\
letters"]),o=s.data?.groups??s.stale?.groups,r=o?.reduce((w,S)=>w+S.count,0),d=e.group&&o?.find(w=>w.group===e.group),c=e.group?d?.count??0:r,$=Object.keys(Gu(t)).
length>0;return a`<${He} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <${ur} />
    <div class="filters">
      <${Rn} label="Search target or message …" value=${e.match} onText=${w=>Hs({match:w,group:""})} />
      <${Jn} label="Cause" value=${e.class} onPick=${w=>Hs({class:w,group:""})} options=${[["","All causes"],...Object.entries(Ln).map(([w,{title:S}])=>[w,S])]} />
      <${Jn} label="Kind" value=${e.kind} onPick=${w=>Hs({kind:w,group:""})} options=${Ji} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Hs({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Hs({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${pn} says=${s.error} retry=${s.reload} />`}
    ${o?o.length===0?a`<div class="card">${$?a`<${Ae} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Ae} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${Um} filter=${t} total=${c} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${Wm} list=${o} picked=${e.group} /></div></div>`:!s.error&&a`<div class="card"><${xn} /></div>`}
  <//>`}function Wm({list:e,picked:t}){let[n,s]=O(null),[o,r]=O(!1),d=o?e:e.slice(0,8);return a`<${X} title="Causes" flush side=${a`<span class="faint small">${F(
e.length,"cause")}, what costs most first</span>`}>
    <ul class="causes">${d.map(c=>a`<li key=${c.group}>
        <div><b title=${c.class}>${nn(c.class)}</b> <span class="tag" title=${We.letters}>${F(c.count,"letter")}</span></div>
        <div class="note"><${Dn} kind=${c.kind} target=${c.target} name=${c.targetName} /> · last <${re} at=${c.last} /></div>
        <div class="break"><${At} text=${c.message} /></div><${oa} text=${c.hint} of=${c.class} />
        <div class="acts-line">${Je("operator")&&a`<button class="small" onClick=${()=>s(c)} aria-label=${`Fix and replay ${F(c.count,"letter")}: ${c.message}`}>Fix and replay …</button>`}
          <button class="small" aria-pressed=${t===c.group} onClick=${()=>Hs({group:t===c.group?"":c.group})}>${t===c.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>d.length&&a`<div class="foot"><button class="small" onClick=${()=>r(!0)}>Show all ${C(e.length)} causes</button></div>`}
    ${n&&a`<${mo} cause=${n} filter=${{group:n.group}} onClose=${()=>s(null)} />`}<//>`}var sl=new Map,$r={all:!1,seqs:[]};function qm(e,t){let n=t.letters.map(
r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function Hm(e){let t=(e.after??"").split(",").filter(Boolean),n=t.length?
Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Re({...e,after:o.slice(-Fm).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",earlier:n>1&&s(t.slice(
0,-1),n-1),later:o=>s([...t,o],n+1)}}function Um({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:d}=Hm(n),c=JSON.stringify(e),$=sl.get(c)??$r,[,
w]=O(0),S=de=>{sl.set(c,de),w($e=>$e+1)},[E,v]=O(null),T=je("/api/letters"+Re({...e,after:o,limit:nl}),["letters"]),U=T.data??T.stale,te=$.all?t:$.seqs.length,ie=$.
all?Gu(e):{seqs:$.seqs},we=()=>S($r),le=de=>{let $e=$.all?U.letters.map(Qt=>Qt.seq):$.seqs;S({all:!1,seqs:$e.includes(de)?$e.filter(Qt=>Qt!==de):[...$e,de]})};if(Te(
()=>{let de=sl.get(c)??$r;if(!T.data||de.all)return;let $e=qm(de.seqs,T.data);$e.length<de.seqs.length&&S({all:!1,seqs:$e})},[T.data]),!U)return T.error?a`<${pn} says=${T.
error} retry=${T.reload} />`:a`<div class="card"><${xn} /></div>`;let Ve=U.letters.map(de=>de.seq),an=$.all||Ve.length>0&&Ve.every(de=>$.seqs.includes(de)),pt=Je(
"operator");return a`${T.error&&a`<${pn} says=${T.error} retry=${T.reload} />`}<section class="card" inert=${!T.data} aria-busy=${!T.data}>
      <div class="top"><h2>Letters</h2>${pt&&t>0&&a`<button class="small" onClick=${()=>S({all:!0,seqs:[]})}>Select all ${C(t)} that match</button>`}</div>
      <div class="flush"><${nt} look=${`cards ${pt?"ticks":""}`} rows=${U.letters} columns=${[["Job",de=>de.id,!1,al],["Why",de=>de.class,!1,al],["When",de=>Date.
parse(de.at),!0,al]]}
        first=${pt&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${an} onChange=${()=>S(an?$r:{all:!1,seqs:[...new Set([...$.
seqs,...Ve])]})} /></th>`}>${de=>a`<tr key=${de.seq}>
          ${pt&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${de.seq}`} checked=${$.all||$.seqs.includes(de.seq)} onChange=${()=>le(de.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>v({show:de})}>${de.id??"no id"}</button><div class="note"><${Dn} kind=${de.kind} target=${de.target} name=${de.
targetName} /></div></td>
          <td class="whole"><b title=${de.class}>${nn(de.class)}</b><div class="break"><${At} text=${de.message} /></div></td>
          <td class="num" data-name="When"><div><${re} at=${de.at} /><div class="note">letter ${de.seq}</div></div></td></tr>`}<//></div>
      ${Ve.length===0&&a`<${Ae} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||U.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${C(s)}${t>nl?` of ${C(Math.max(s,Math.ceil(t/nl)))}`:""}, newest first</span>
        <span class="acts">${U.more?a`<a class="button small" href=${d(Ve.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${pt&&te>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${F(te,"letter")}</b> selected${$.all?", all that match":""}</span>
      <button class="bare" onClick=${we}>Clear</button>
      <button class="danger" onClick=${()=>v({discard:!0})}>Discard …</button>
      <button onClick=${()=>v({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>v({fix:!0})}>Fix and replay …</button></div>`}
    ${E?.fix&&a`<${mo} cause=${{count:te,message:$.all?"All letters that match":"The selected letters"}} filter=${ie} onClose=${()=>v(null)} onDone=${we} />`}
    ${E?.show&&a`<${Uu} letter=${E.show} onClose=${()=>v(null)} onEdit=${()=>v({edit:!0,letter:E.show})} />`}
    ${E?.discard&&a`<${Bu} filter=${ie} count=${te} onClose=${()=>v(null)} onDone=${we} />`}
    ${E?.edit&&a`<${Ju} filter=${E.letter?{seqs:[E.letter.seq]}:ie} letter=${E.letter??($.seqs.length===1&&U.letters.find(de=>de.seq===$.seqs[0]))}
      onClose=${()=>v(null)} onDone=${de=>!E.letter&&!$.all&&S({all:!1,seqs:de})} />`}`}var Vu=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,rl=.95;function Bm({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${C(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${C(e.paused)}</b> paused`}${e.
pending>0&&`, ${C(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function Jm({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Re({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${C(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function Gm({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${io(
e.spent)}${t!==null&&` of ${io(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=rl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=rl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var Km=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${oe("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${Bm} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${Jm} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:Vu,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${Gm} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${oe("rules","runs",e.heldRun)}>${C(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${re} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],ol={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>Vu(e)>=rl};function Yu({params:e}){let t=je("/api/campaigns",["campaigns","rules"]);return a`<${He} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ut} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(w=>w.code.toLowerCase().includes(o)),d=r.filter(ol[e.only]??
ol[""]),c=w=>r.filter(ol[w]).length,$=n.filter(w=>!w.at).length;return a`<div class="filters"><${Rn} label="Search campaigns …" value=${e.text} onText=${w=>et(
{text:w})} />
          <${ka} label="Which" value=${e.only} onPick=${w=>et({only:w})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${fe} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${X} flush>${d.length===0?a`<${Ae} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Es} label="Campaigns" columns=${Km} rows=${d.slice(0,500)} params=${e} id=${w=>w.code} href=${w=>oe("c\
ampaigns",w.code)} />
            <div class="foot"><span>${F(d.length,"campaign")}${d.length>500?", the first 500 are shown":""}</span>${$>0&&a`<span>the creatives of ${C($)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var Zu="The platform's times have no zone, so they are shown as the platform sends them.";function ep({code:e}){let t=je("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=O([]),[o,r]=O(""),d=t.data,c=Je("operator"),$=w=>s(n.includes(w)?n.filter(S=>S!==w):[...n,w]);return a`<${He} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${d&&a`${F(d.creatives.length,"creative")}, ${C(d.creatives.filter(w=>w.status==="ACTIVE").length)} active`}
      acts=${d&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?C(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?C(n.length):"all"} …</button>`}>
    <${ut} result=${t}>${w=>a`
      ${w.holder&&a`<${fe} level="warn" says=${`Locked by ${w.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${w.lockError&&a`<${fe} level="warn" says="It is not known whether a worker has locked this campaign" hint=${w.lockError} />`}
      ${w.jobs.map(S=>a`<${fe} key=${S.id} says=${a`<${sa} is=${S.state} /> ${tr(S.kind,S.target)}`} hint=${S.why||S.id} where=${oe("jobs",S.id)} />`)}
      ${w.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Re(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${X} title="Creatives" flush>${w.creatives.length===0?a`<${Ae} title="No creatives" />`:a`<${nt} look=${`cards ${c?"ticks":""}`} rows=${w.
creatives} columns=${[["Creative",S=>S.code],["Status",S=>S.status],["Last change on the platform",S=>S.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===w.creatives.length} onChange=${()=>s(n.length?
[]:w.creatives.map(S=>S.code))} /></th>`}>${S=>a`<tr key=${S.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${S.code}`} checked=${n.includes(
S.code)} onChange=${()=>$(S.code)} /></td>`}
            <td class="strong break"><a class="id" href=${oe("rules","why",S.code)} title="Its history">${S.code}</a><${Qi} s=${w.kept[S.code]} />${S.message&&a`<div class="note">${S.
message}</div>`}</td><td><${sa} is=${S.status} /></td>
            <td class="num" data-name="Changed">${S.updated?a`<span class="nowrap" title=${Zu}>${S.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${w.creatives.some(S=>S.updated)&&a`<div class="foot">${Zu}</div>`}`}<//><${Ym} creatives=${w.creatives} changes=${w.changes} /></div>
        <div class="stack"><${Vm} rules=${w.rules??[]} kept=${w.kept[e]} code=${e} /><${Qm} entries=${w.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${t$} code=${e} verb=${o} creatives=${n} all=${d.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function Vm({rules:e,kept:t,code:n}){return a`<${X} title="Rules in scope" side=${a`<${mr} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${Qi} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Re({text:s.
name})} class="break">${s.name}</a> <span class="tag">${ks(s.mode)}</span><${Ns} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var Xu=28;function Ym({creatives:e,changes:t}){let n=Array.from({length:Xu},(r,d)=>zn(ct()-(Xu-1-d)*864e5)),s=[...fr([...t].reverse(),r=>r.creative,r=>zn(r.at))].
sort(([r],[d])=>r.localeCompare(d,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${hr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,d])=>[r,Zm(n,d,o.get(r))])} />`}function Zm(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],d=r.map(
c=>`${ln(c.at)} ${Ut(c.before)} → ${Ut(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${d||Ut(n)}`}),n=r[0]?.before||n}return s}function Xm(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function Qm({entries:e,code:t}){return a`<${X} title="History" side=${a`<a class="small" href=${"\
#/audit"+Re({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${Xm(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${Qu} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${C(s.length)} more by this job</summary>${s.map(o=>a`<${Qu} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Ja} metrics=${n.metrics} /><div class="small faint"><${re} at=${n.at} /></div></li>`)}</ul>`}<//>`}var Qu=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?wn[e.bidding.field]:"campaign")}</b> <span class="small">${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?` (wanted ${Ut(e.wanted)})`:""}</span></div>`;
function e$({code:e,creatives:t}){let n=je(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${fe} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${fe} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${C(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${re} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function t$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[d,c]=O(""),[$,w]=O(""),S=n.length||s,E=async()=>{let{id:v}=await Ie(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:d,keep:$});Ke(`${t==="pause"?"Pausing":"Resuming"} ${F(S,"creative")}: job ${v}`),r()};return a`<${Ge} title=${`${t==="pause"?"Pau\
se":"Resume"} ${F(S,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${d.trim()&&$!==Ga} onAct=${E} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${e$} code=${e} creatives=${n} />`}
    <${el} until=${$} onUntil=${w} />
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${d} onInput=${v=>c(v.target.
value)} data-first /><//>
  <//>`}function n$({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${oe("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${C(e.jobs.length-4)} more</div>`}</div>`}
function a$({w:e}){return e.gone?a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:e.down?a`<span class="badge bad">${e.
refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var s$=[{key:"name",title:"Worker",card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.
name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${a$} w=${e} />${e.gone&&a`<div class="note">last heard <${re} at=${e.heard} /></div>`}`},
{key:"doing",title:"Does",cell:e=>a`<${n$} w=${e} />`},{key:"slots",title:"Slots by lane",cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>
0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${C(n)}</span>`)}</div>`},{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.
version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.memory||null,cell:e=>e.memory?ys(e.memory):a`<span class="faint none">–</span>`},{key:"\
since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${re} at=${e.since} />`}];function tp({params:e}){let t=je("/api/workers",["overvie\
w"]);return a`<${He} title="Workers" sub="The processes that carry out jobs. A worker that stops is listed as gone for a day.">
    <${ut} result=${t}>${({workers:n})=>{let s=[...new Set(n.filter(r=>!r.gone).map(r=>r.version))],o=n.filter(r=>r.gone).length;return a`${s.length>1&&a`<${fe} level="warn" says=${`${C(
s.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
        <${X} flush>${n.length===0?a`<${Ae} title="No worker answers">Jobs wait until one is started.<${ya}>usher run<//><//>`:a`<${Es} label="Workers" columns=${s$} rows=${n} params=${e} id=${r=>r.
name} /><div class="foot">${F(n.length-o,"worker")}${o>0?`, ${C(o)} gone`:""}</div>`}<//>`}}<//>
  <//>`}var o$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],il=50,gr="Sort the rows on this page",r$=[["\
When",e=>Date.parse(e.at),!1,gr],["Who",e=>e.rule||e.actor,!1,gr],["What",e=>e.creative||e.after||e.wanted,!1,gr],["Why",e=>e.reason,!1,gr]];function np({params:e}){
let t=e.span&&new Date(Math.floor(ct()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(il,Number(e.limit)||il),o=je("/api/audit"+Re({...n,limit:s}),["audit"]),r=o.data??o.stale,d=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${He} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Re({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Re(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${Rn} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>et({match:c,limit:""})} />
      <${Jn} label="Time" value=${e.span} onPick=${c=>et({span:c,limit:""})} options=${o$} />
    </div>
    ${d.length>0&&a`<div class="filters">${d.map(c=>a`<button class="small" onClick=${()=>et({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${pn} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Ae} title=${e.match||d.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${nt} columns=${r$} rows=${r.entries}>${(c,$)=>a`<tr key=${c.at+c.job+c.creative+$}>
          <td data-name="When"><${re} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Re(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${i$} a=${c} /></td>
          <td class="whole break">${c.reason}<${Ja} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${F(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>et({limit:String(
Math.min(s+il,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${C(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${xn} />`}</section>
  <//>`}function i$({a:e}){let t=e.job&&a`<div class="note">job <a href=${oe("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Ut(e.wanted)})</span>`:
""}
      <div class="note">campaign <a href=${oe("campaigns",e.campaign)}>${e.campaign}</a></div>${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.before?` \
(was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var l$=[["","Overview",un.overview],["audiences","Audiences",un.audiences],["jobs","Jobs",un.jobs],["letters","Dead letters",un.letters],["campaigns","Campaigns",
un.campaigns],["rules","Rules",un.rules],["workers","Workers",un.workers],["audit","Audit",un.audit]];function d$({names:e,params:t}){let[n="",s]=e;switch(n){case"":
return a`<${Wu} params=${t} />`;case"jobs":return s?a`<${fu} id=${s} key=${s} />`:a`<${bu} params=${t} />`;case"letters":return a`<${Ku} params=${t} />`;case"au\
diences":return s==="overlap"?a`<${wu} params=${t} />`:s?a`<${yu} target=${s} key=${s} />`:a`<${iu} params=${t} />`;case"campaigns":return s?a`<${ep} code=${s} key=${s} />`:
a`<${Yu} params=${t} />`;case"rules":return a`<${Fu} names=${e.slice(1)} params=${t} />`;case"workers":return a`<${tp} params=${t} />`;case"audit":return a`<${np} params=${t} />`}
return a`<${He} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}Zc();function c$(){let[e,t]=O(Ds());return Te(()=>{let n=()=>t(Ds()),
s=sr(n);return n(),s},[]),a`<button class="bare small" onClick=${Rs} aria-label=${e?"Light colours":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${un.
theme}</span></button>`}function u$(){return a`<button class="bare small" onClick=${()=>vs(!Tn())} title=${Tn()?"Times are in UTC; show them in this computer's \
zone":`Times are in this computer's zone, ${oo()}; show them in UTC`} aria-label=${Tn()?"Times in UTC":"Times in local zone"}>${oo()}</button>`}function p$({onLeave:e}){
let t=Fc(),n=je("/api/overview",["letters","overview"]),s=nu(t.names),o=n.data?.letters??0,r=()=>Ie("/api/logout").then(()=>e("You have logged out."),d=>e(d.message));
return a`<a class="skip" href="#main" onClick=${d=>{d.preventDefault(),document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${un.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${l$.map(([d,c,$])=>a`<a href="#/${d}" aria-current=${(t.names[0]??"")===d?"page":void 0}>${$}<span>${d==="letters"?a`<span class="long">Dead </span>letters`:
c}</span>
            ${d==="letters"&&o>0&&a`<span class="count" aria-label=${F(o,"dead letter")}>${o>999?"999+":C(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Ne.user}</b><span class="faint small">${Ne.role}</span></div>
          <div class="row"><${c$} /><${u$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${un.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${au} status=${s} />${d$(t)}</main>
    </div><${eu} /><${Jc} />`}var ll={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function h$(){let[e,t]=O(Ne.user),[n,
s]=O(ll[Ne.absent]),[,o]=O(0);Te(()=>{Oc(async()=>{Ne.user&&(ro(),Ne.user="",await xs().catch(()=>{}),s(ll[Ne.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(c=>c+1))},[]);let r=async()=>{await xs(),s(ll[Ne.absent]),t(Ne.user),Ne.user&&Ti()},d=c=>{ro(),
Ne.user="",s(c),t("")};return e?a`<${p$} key=${Tn()?"utc":"local"} onLeave=${d} />`:a`<${su} why=${n} onIn=${r} />`}function ap(){!Ne.user||na().names[0]!=="log\
in"||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",ap);Object.assign(Ne,JSON.parse(document.
getElementById("session").textContent));ap();Ne.user&&Ti();var sp=document.getElementById("app");sp.replaceChildren();$i(a`<${h$} />`,sp);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
